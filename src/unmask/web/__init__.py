"""The page and its server: `unmask serve`. Only the modules of the server itself need the extra `web`."""

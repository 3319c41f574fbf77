"""The web page and its server (`unmask serve`), and the notebook widget. Only the server needs the extra `web`."""

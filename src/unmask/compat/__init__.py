"""The methods in the shape that other libraries gave them, for code that has that shape already.

Nothing here needs those libraries: a module's name only says whose shape it has.
"""

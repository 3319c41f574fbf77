"""x"""
from ...explanation import Explanation
Item = tuple[int | None, Explanation | str]
def collection() -> str: 
    return ""

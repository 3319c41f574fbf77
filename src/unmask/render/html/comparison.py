"""x"""
def comparison() -> str: 
    return ""

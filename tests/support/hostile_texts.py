"""Texts made to break something, each with a name that identifies it when a test fails."""

import unicodedata

SPACES = [chr(code) for code in range(0x110000) if chr(code).isspace()]
FORMATS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cf"]
INJECTIONS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "</p></main></body><iframe src=javascript:alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' onfocus='alert(1)' autofocus='",
    "javascript:alert(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil>",
    "<base href=//evil/>",
    "<meta http-equiv=refresh content=0;url=//evil>",
    "<!-- --> <!--> <!--->",
    "<![CDATA[ x ]]> ]]>",
    "&lt;b&gt; &amp;amp; &#0; &#x1b; &nosuch;",
    "<a href=# onclick=alert(1)>film</a>",
    "<textarea></textarea><template><slot>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07film",
    "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\",
    "\x1b[2J\x1b[H\x1b[?1049h",
    "\x1bPq#0;2;0;0;0\x1b\\",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x9b31m film \x9d0;x\x9c",
    "\r\x1b[Kgone",
    "film\b\b\b\bgone",
    "[bold red]film[/] [link=http://evil]x[/link]",
    "[/] [[/]] [nosuch] \\[bold]",
    ":smile: :skull:",
    "\\input{/etc/passwd} \\write18{ls}",
    "$x^2$ \\frac{1}{2} $ 5 _ ^ ~ # % & { }",
    "\\end{document} \\verb|x|",
    "| a | b |\n|---|---|",
    "# title\n- item\n> quote\n```\ncode",
    "![x](javascript:alert(1)) [x]: //evil",
    "=cmd|' /C calc'!A0",
    "+1+1 -1 @SUM(1)",
    "%s %d %n %x {0} {} {self} {0.__class__}",
    "{{7*7}} {% raw %} {{config}} ${7*7} <%= 7*7 %> #{7*7}",
    "'; DROP TABLE results; --",
    "$(touch owned) `touch owned` ; rm -rf x | cat && true",
    "../../etc/passwd C:\\con\\nul file:///etc/passwd",
    "__import__('os').system('true')",
    '{"text": "film", "__class__": "x"}',
    "---\n!!python/object/apply:os.system ['true']",
)
TOKENS = (
    *("[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[MASK][MASK]", "[CLS] good [SEP] film [SEP]", "[unused0]"),
    *("<s>", "</s>", "<pad>", "<mask>", "<unk>", "<|endoftext|>", "<eod>", "<cls>", "<sep>", "<extra_id_0>", "<bos>"),
    *("##ing ##s", "▁good", "Ġgood Ċ", "@@ good@@ film", "[mask] [Mask] [ MASK ]", "good[MASK]film", "<s><s></s></s>"),
)
SCRIPTS = (
    *("فيلم رائع جدًا", "סרט נהדר מאוד", "यह फिल्म अच्छी है", "এই ছবিটি ভালো", "இந்தப் படம் நன்று", "ఈ సినిమా బాగుంది"),
    *("ಈ ಚಿತ್ರ ಚೆನ್ನಾಗಿದೆ", "ഈ സിനിമ നല്ലതാണ്", "මෙම චිත්‍රපටය හොඳයි", "ภาพยนตร์เรื่องนี้ดีมาก", "ຮູບເງົາດີຫຼາຍ", "ဒီရုပ်ရှင်ကောင်းတယ်"),
    *(
        "ខ្សែភាពយន្តនេះល្អ",
        "བོད་སྐད་ཡག་པོ",
        "这部电影很好",
        "この映画は素晴らしい",
        "이 영화는 좋다",
        "ᄀᆞᄉᆞᆷ",
        "ეს ფილმი კარგია",
    ),
    *(
        "այս ֆիլմը լավն է",
        "αυτή η ταινία",
        "этот фильм хорош",
        "ይህ ፊልም ጥሩ ነው",
        "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ",
        "ᐃᓄᒃᑎᑐᑦ",
        "ᠮᠣᠩᠭᠣᠯ",
        "𐌲𐌿𐍄",
        "𓀀𓁐𓂀",
    ),
    *(
        "𝔤𝔬𝔬𝔡 𝓯𝓲𝓵𝓶",
        "ｇｏｏｄ　ｆｉｌｍ",
        "ﬁlm oﬃce ﬀ",
        "ǅ ß ẞ İ ı ſ K Å Ω",
        "e\u0301 é e\u0301\u0323",
        "ñ n\u0303",
        "１２３ ① Ⅳ ½ ٣",
    ),
    *(
        "¡Qué película!",
        "«Très bon film !»",
        "„Gut“, sagte er.",
        "‘a’ ‚b‛ “c„ ‟d",
        "don't don’t donʼt",
        "well-made well‐made well‑made",
    ),
    *(
        "co-op re–do semi—dash",
        "A.B.C. e.g. U.S.A. 3.14 1,000.50",
        "http://a.b/c?d=e&f#g",
        "@user #tag $5 50% a/b a_b",
        "😀😀😀",
        "👩‍👩‍👧‍👦 👍🏽",
    ),
    *("🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪🇩", "1️⃣ #️⃣ ©️ ©︎", "❤️‍🔥 ☠︎ ♀︎", "🧑🏿‍🚀🧑🏻‍❤️‍💋‍🧑🏾"),
)
VALUES = (
    *("NaN", "Infinity", "-Infinity", "null", "None", "True", "-0", "1e309", "0x1F", "2024-01-01"),
    *("''", '""', "\\", "\\u0000", "\\n"),
)


def hostile_texts() -> dict[str, str]:
    """Every text, by a readable name."""
    found: dict[str, str] = {}
    controls = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    odd = [chr(code) for code in (0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0xFDD0, 0xE000, 0xF8FF, 0x100000, 0x378, 0xFFFD)]
    odd += [chr(code) for code in (0xD800, 0xDBFF, 0xDC00, 0xDC80, 0xDCFF, 0xDFFF, 0xFFFC, 0xFFF9, 0x034F, 0x3164)]
    for kind, characters in (("control", controls), ("space", SPACES), ("format", FORMATS[::4]), ("odd", odd)):
        for character in characters:
            found[f"{kind} U+{ord(character):04X}"] = f"A go{character}od film{character} {character}."
    for kind, texts in (("injection", INJECTIONS), ("token", TOKENS), ("script", SCRIPTS), ("value", VALUES)):
        found |= {f"{kind} {at}": text for at, text in enumerate(texts)}
    found |= {
        f"direction U+{code:04X}": f"good {chr(code)}film{chr(code)} abc"
        for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
    }
    return found | _sizes()


def _sizes() -> dict[str, str]:
    repeated = {
        "letter": "a",
        "space": " ",
        "line": "\n",
        "mark": "\u0301",
        "joiner": "\u200d",
        "dash": "-",
        "emoji": "👍🏽",
    }
    repeated |= {
        "period": ". ",
        "quote": '"',
        "bracket": "[[",
        "angle": "<",
        "backslash": "\\",
        "ideograph": "电",
        "ksha": "क्ष",
    }
    found = {f"{name} x {count:,}": piece * count for name, piece in repeated.items() for count in (1, 30, 5_000)}
    found["empty"] = ""
    found["words x 3,000"] = "good film " * 1_500
    found["one long word"] = "film" * 20_000
    found["stacked marks"] = "".join(letter + "\u0300\u0301\u0302\u0303\u0304" * 20 for letter in "film")
    found["alternating directions"] = "abc אבג " * 300
    found["all of Latin-1"] = "".join(map(chr, range(0x20, 0x100)))
    found["every plane"] = " ".join(chr(plane * 0x10000 + 0x41) for plane in range(17))
    return found

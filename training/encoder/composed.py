"""Composes everyday Tagalog sentences with their English from verb roots, so that aspects and word order are learnt."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from training.encoder.corpus import Pair

VOWELS = "aeiou"
# root, affix, English base, past, -ing form, then objects as "Tagalog=English"
VERBS = """
kain um eat ate eating|ng isda=fish|ng kanin=rice|ng mansanas=an apple
inom um drink drank drinking|ng tubig=water|ng gatas=milk|ng gamot=the medicine
bili um buy bought buying|ng damit=clothes|ng bagong telepono=a new phone|ng tinapay=bread
takbo um run ran running|sa parke=in the park
lakad mag walk walked walking|sa kalsada=on the street
punta um go went going|sa palengke=to the market|sa Maynila=to Manila|sa ospital=to the hospital
uwi um go_home went_home going_home|nang maaga=early
alis um leave left leaving|nang maaga=early
dating um arrive arrived arriving|nang huli=late
tulog ma sleep slept sleeping|nang mahimbing=soundly
gising um wake_up woke_up waking_up|nang maaga=early
basa mag read read reading|ng libro=a book|ng balita=the news
sulat um write wrote writing|ng liham=a letter
aral mag study studied studying|ng Ingles=English|ng matematika=math
luto mag cook cooked cooking|ng hapunan=dinner|ng manok=chicken
laba mag do_the_laundry did_the_laundry doing_the_laundry
laro mag play played playing|ng basketbol=basketball
trabaho mag work worked working|sa bangko=at the bank
hintay mag wait waited waiting|ng bus=for the bus
tanong mag ask asked asking|sa guro=the teacher
sagot um answer answered answering|sa tanong=the question
tawag um call called calling|sa doktor=the doctor
tulong um help helped helping|sa nanay=mother
iyak um cry cried crying
tawa um laugh laughed laughing
ngiti um smile smiled smiling
kanta um sing sang singing|ng lumang awit=an old song
sayaw um dance danced dancing
langoy um swim swam swimming|sa dagat=in the sea
upo um sit_down sat_down sitting_down|sa silya=on the chair
tayo um stand_up stood_up standing_up
sakay um ride rode riding|ng dyip=a jeepney
maneho mag drive drove driving|ng kotse=a car
linis mag clean cleaned cleaning|ng bahay=the house|ng kuwarto=the room
ligo ma take_a_bath took_a_bath taking_a_bath
benta mag sell sold selling|ng gulay=vegetables
bayad mag pay paid paying|ng upa=the rent|ng utang=the debt
bigay mag give gave giving|ng pera=money
hiram um borrow borrowed borrowing|ng pera=money|ng libro=a book
utang um borrow_money borrowed_money borrowing_money
hanap mag look_for looked_for looking_for|ng trabaho=a job
kita um earn earned earning|ng malaki=a lot
panalo ma win won winning
talo ma lose lost losing
sabi mag speak spoke speaking|ng totoo=the truth
usap mag talk talked talking
away mag fight fought fighting
lipat um move moved moving|ng bahay=house|sa Cebu=to Cebu
tira um live lived living|sa probinsya=in the province
balik um come_back came_back coming_back|sa opisina=to the office
pasok um enter entered entering|sa silid=the room
labas um go_out went_out going_out
akyat um climb climbed climbing|sa bundok=the mountain
baba um come_down came_down coming_down
tigil um stop stopped stopping
simula mag begin began beginning
nood ma watch watched watching|ng sine=a movie|ng telebisyon=television
kinig ma listen listened listening|sa musika=to music
hingi um ask_for asked_for asking_for|ng tawad=forgiveness|ng tulong=help
ingat mag be_careful was_careful being_careful
isip mag think thought thinking
dasal mag pray prayed praying
padala mag send sent sending|ng mensahe=a message|ng email=an email
palit mag change changed changing|ng damit=clothes|ng password=the password
order um order ordered ordering|ng pizza=pizza
turo mag teach taught teaching|ng musika=music
kasal mag get_married got_married getting_married
sigaw um shout shouted shouting
talon um jump jumped jumping
lipad um fly flew flying
tanim mag plant planted planting|ng puno=a tree
putol mag cut cut cutting|ng kahoy=wood
""".strip().splitlines()
# Tagalog, English, whether it leans on the first word, third person, its possessive
SUBJECTS = """
ako I 1 0 ko
ka you 1 0 mo
siya he 1 1 niya
siya she 1 1 niya
kami we 1 0 namin
tayo we 1 0 natin
kayo you 1 0 ninyo
sila they 1 0 nila
si_Tom Tom 0 1 ni_Tom
si_Maria Maria 0 1 ni_Maria
ang_nanay_ko my_mother 0 1 ng_nanay_ko
ang_tatay_niya her_father 0 1 ng_tatay_niya
ang_kapatid_ko my_brother 0 1 ng_kapatid_ko
ang_bata the_child 0 1 ng_bata
ang_guro the_teacher 0 1 ng_guro
ang_mga_estudyante the_students 0 0 ng_mga_estudyante
ang_kaibigan_ko my_friend 0 1 ng_kaibigan_ko
ang_doktor the_doctor 0 1 ng_doktor
ang_aso the_dog 0 1 ng_aso
""".strip().splitlines()
PAST_TIMES = ("kahapon=yesterday", "kagabi=last night", "noong Lunes=on Monday", "noong isang taon=last year",
              "kaninang umaga=this morning", "noong isang linggo=last week", "=", "=")  # fmt: skip
FUTURE_TIMES = ("bukas=tomorrow", "mamaya=later", "sa Sabado=on Saturday", "sa susunod na buwan=next month",
                "mamayang gabi=tonight", "=", "=")  # fmt: skip
NOW_TIMES = ("ngayon=now", "=", "=")
HABIT_TIMES = ("araw-araw=every day", "tuwing Linggo=every Sunday", "palagi=always", "gabi-gabi=every night")
QUESTION_WORDS = (("Kailan", "When"), ("Saan", "Where"), ("Bakit", "Why"), ("Paano", "How"))


@dataclass(frozen=True, slots=True)
class Verb:
    done: str
    doing: str
    to_do: str
    root: str
    base: str
    past: str
    ing: str
    objects: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Subject:
    tagalog: str
    english: str
    leans: bool
    third: bool
    owner: str

    @property
    def is_form(self) -> str:
        return "am" if self.english == "I" else "is" if self.third else "are"

    @property
    def was_form(self) -> str:
        return "was" if self.third or self.english == "I" else "were"


def compose(count: int, rng: random.Random) -> Iterator[Pair]:
    """Yields distinct composed sentence pairs."""
    verbs, subjects = [_verb(line) for line in VERBS], [_subject(line) for line in SUBJECTS]
    seen: set[str] = set()
    while len(seen) < count:
        english, tagalog = rng.choice(SENTENCES)(rng.choice(verbs), rng.choice(subjects), rng)
        if tagalog not in seen:
            seen.add(tagalog)
            yield Pair("composed", _written(english), _written(tagalog))


def conjugate(root: str, affix: str) -> tuple[str, str, str, str]:
    """Gives the finished, ongoing and coming forms of an actor verb, and its plain one."""
    start = 0 if root[0] in VOWELS else next(i for i, c in enumerate(root) if c in VOWELS)
    doubled = root[: start + 1]
    if affix == "um":
        plain = root[:start] + "um" + root[start:]
        return plain, root[:start] + "um" + root[start : start + 1] + root, doubled + root, plain
    dash = "-" if start == 0 and affix == "mag" else ""
    before, coming = ("na", "ma") if affix == "ma" else ("nag", "mag")
    return (before + dash + root, before + dash + doubled + root, coming + dash + doubled + root, coming + dash + root)


def _verb(line: str) -> Verb:
    head, *objects = line.split("|")
    root, affix, *spoken = head.split()
    base, past, ing = (word.replace("_", " ") for word in spoken)
    pairs = [(tagalog, english) for tagalog, _, english in (each.partition("=") for each in objects)]
    return Verb(*conjugate(root, affix), base, past, ing, (*pairs, ("", "")))


def _subject(line: str) -> Subject:
    tagalog, english, leans, third, owner = line.split()
    return Subject(
        tagalog.replace("_", " "), english.replace("_", " "), leans == "1", third == "1", owner.replace("_", " ")
    )


def _statement(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    form, said, times = rng.choice((
        (verb.done, verb.past, PAST_TIMES), (verb.to_do, f"will {verb.base}", FUTURE_TIMES),
        (verb.doing, f"{subject.is_form} {verb.ing}", NOW_TIMES),
        (verb.doing, f"{verb.base}", HABIT_TIMES) if not subject.third else (verb.doing, f"is {verb.ing}", NOW_TIMES),
    ))  # fmt: skip
    when, time = rng.choice(times).split("=")
    return f"{subject.english} {said} {thing} {time}.", f"{form} {subject.tagalog} {other} {when}."


def _denial(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    form, said = rng.choice((
        (verb.done, f"did not {verb.base}"), (verb.to_do, f"will not {verb.base}"),
        (verb.doing, f"{subject.is_form} not {verb.ing}"),
    ))  # fmt: skip
    if subject.leans:
        return f"{subject.english} {said} {thing}.", f"hindi {subject.tagalog} {form} {other}."
    return f"{subject.english} {said} {thing}.", f"hindi {form} {subject.tagalog} {other}."


def _already(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    if rng.random() < 0.5:
        place = f"na {subject.tagalog}" if subject.tagalog != "ka" else "ka na"
        return f"{subject.english} already {verb.past} {thing}.", f"{verb.done} {place} {other}."
    place = f"pa {subject.tagalog} {verb.doing}" if subject.leans and subject.tagalog != "ka" else ""
    place = place or (f"ka pa {verb.doing}" if subject.leans else f"pa {verb.doing} {subject.tagalog}")
    has = "has" if subject.third else "have"
    return f"{subject.english} {has} not {verb.past} {thing} yet.", f"hindi {place} {other}."


def _question(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    form, helper, said = rng.choice((
        (verb.done, "did", verb.base), (verb.to_do, "will", verb.base), (verb.doing, subject.is_form, verb.ing),
    ))  # fmt: skip
    place = f"{subject.tagalog} ba" if subject.tagalog == "ka" else f"ba {subject.tagalog}"
    return f"{helper} {subject.english} {said} {thing}?", f"{form} {place} {other}?"


def _asked(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    ask, asked = rng.choice(QUESTION_WORDS)
    form, helper, said = rng.choice((
        (verb.done, "did", verb.base), (verb.to_do, "will", verb.base), (verb.doing, subject.is_form, verb.ing),
    ))  # fmt: skip
    order = f"{subject.tagalog} {form}" if subject.leans else f"{form} {subject.tagalog}"
    return f"{asked} {helper} {subject.english} {said}?", f"{ask} {order}?"


def _wanted(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    want, needs = rng.choice((("gusto", "want"), ("kailangan", "need"), ("ayaw", "do not want")))
    if subject.third:
        needs = {"want": "wants", "need": "needs"}.get(needs, "does not want")
    owner = subject.owner + ("ng" if subject.owner[-1] in VOWELS else "" if subject.leans else " na")
    owner = owner if subject.leans else subject.owner + " na"
    if subject.leans and subject.owner[-1] == "n":
        owner = subject.owner[:-1] + "ng"
    return f"{subject.english} {needs} to {verb.base} {thing}.", f"{want} {owner} {verb.root} {other}."


def _allowed(verb: Verb, subject: Subject, rng: random.Random) -> tuple[str, str]:
    other, thing = rng.choice(verb.objects)
    if not subject.leans:
        return f"can {subject.english} {verb.base} {thing}?", f"puwede bang {verb.root} {subject.tagalog} {other}?"
    place = "ka bang" if subject.tagalog == "ka" else f"ba {subject.tagalog}ng"
    return f"can {subject.english} {verb.base} {thing}?", f"puwede {place} {verb.root} {other}?"


SENTENCES = (_statement, _statement, _statement, _denial, _already, _question, _asked, _wanted, _allowed)


def _written(text: str) -> str:
    text = " ".join(text.split()).replace(" .", ".").replace(" ?", "?")
    return text[0].upper() + text[1:]

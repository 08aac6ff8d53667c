"""English: follow-ups that lean on the last answer, and fresh requests that point at nothing."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.english_negatives import NEGATIVES as NEGATIVES

VOCABULARY = rules("""
said_clause = it takes (two|three|about five|ten|a few) (days|weeks|hours|months|minutes) / {it2} (is|isn't|was|wasn't|should be|can't be) {adjq} / I (need|don't need|should bring|have to get) (a|my) {doc} (first|)
said_clause = {persons} (can|can't|should|shouldn't) (do it|eat {dish}|go to {place}|apply|join) / the (price|fee|deadline|limit) is {amt} / {it2} (should|must|has to) be (done|paid|cooked|renewed|cleaned) (before|after) (lunch|noon|Friday|the exam|I leave)
said_clause = I should (call|ask|email|tell) {person} first / there (is|was) no (fee|refund|flight|discount|limit) / {place} is (cheaper|safer|better|hotter) than {place} / you can (skip|freeze|reuse|return|cancel) it / the last (trip|day|bus) is (at 9pm|on Friday|{when2})
said_clause = salt goes in (last|first) / the {item} (needs|doesn't need) (a new battery|repair|cleaning|an update) / it's (better|cheaper|safer) to (wait|book early|buy used|go {when2}) / I could get {amt} back / {sym} goes away in a few days / rice needs more water / I only need two valid IDs
it2 = it / that / the {item} / the trip / the {doc} / {dish} / the payment / the medicine / the password
start_n = 2 / 3 / 4 / 5 / 7 / 10 / 12 / 20
claim = coffee is bad for you / the earth is flat / you need two IDs / vinegar cures {sym} / the price will go up / I need a {doc} first / {place} is dangerous / the exam is moved / garlic lowers blood pressure / you can't fly pregnant / it takes two weeks / the first month is free / {dish} is fattening / walang pasok tomorrow
place = Germany / Japan / Cebu / Davao / Manila / Canada / Dubai / Singapore / Baguio / Hong Kong / Australia / Qatar / Palawan / Italy / Texas / Iloilo / London / Seoul / Saudi Arabia / the provinces / Makati / New York / Boracay / Taiwan / Bohol / Vietnam / Spain / Riyadh / Quezon City / Batangas
place2 = the beach / the office / the airport / the hospital / home / the mall / the embassy / school / the market / the city hall / the barangay hall / the gym
person = my mom / my boss / my son / my husband / my wife / my teacher / my landlord / my friend / my sister / my client / my doctor / my neighbor / my cousin / my lola / my girlfriend / my coworker / my professor / my dentist
persons = kids / students / seniors / pregnant women / beginners / foreigners / dual citizens / OFWs / freelancers / nurses / babies / cats / minors / tourists / small businesses / diabetics
when2 = tomorrow / tonight / next week / on weekends / in the morning / in summer / at night / during the rainy season / next month / on holidays / after lunch / in December / on Sunday / at 8pm / in the evening / this Friday
item = phone / laptop / rice cooker / aircon / motorcycle / car / washing machine / printer / refrigerator / router / bike / camera / electric fan / TV / headset / keyboard / air fryer / oven / tablet / water heater
dish = adobo / sinigang / lumpia / kare-kare / pancit / leche flan / bibingka / tinola / fried rice / carbonara / chicken curry / biko / spaghetti / lechon kawali / banana bread / ramen / beef stew / pandesal
topicn = photosynthesis / inflation / blockchain / the water cycle / compound interest / natural selection / SSS contributions / diabetes / the solar system / recursion / climate change / supply and demand / gravity / Docker / the EDSA revolution / machine learning / credit scores / Ohm's law / mitosis / the Katipunan
skill = swim / drive / code in Python / play the guitar / bake / edit videos / invest / speak Korean / sew / draw / cook / solve a Rubik's cube / type faster / dance / invest in stocks / do a handstand
doc = passport / driver's license / birth certificate / NBI clearance / police clearance / visa / TIN / marriage certificate / PhilHealth ID / SSS number / postal ID / PRC license / diploma / COE / payslip
team = Ginebra / the Lakers / Gilas / the Warriors / San Miguel / Real Madrid / Creamline / Team Liquid / T1
country = the Philippines / France / Brazil / Japan / the US / Egypt / Spain / China / India / Mexico / Kenya / Thailand / Indonesia / the UK
person3 = Jose Rizal / Marie Curie / Andres Bonifacio / Albert Einstein / Napoleon / Lapu-Lapu / Corazon Aquino / Magellan / Shakespeare / Nikola Tesla / Manny Pacquiao / Taylor Swift / Steve Jobs / Melchora Aquino
period = week / month / year / night / Friday / Christmas / quarter / summer / Sunday / semester / decade / century / weekend
timeago = two weeks ago / a year ago / three days ago / a month ago / five years ago / an hour ago / ten minutes ago / a few days ago / last night / this morning / yesterday / two hours ago / 20 years ago / 6 months ago
amt = 500 pesos / 20k / $50 / 1,000 / two hundred / 3 million / 15,000 pesos / 250 dollars / half a kilo / 2 liters
sym = a fever / a headache / a cough / back pain / a toothache / a rash / diarrhea / a sore throat / heartburn / a sprained ankle / a stomachache / dizziness
title2 = Noli Me Tangere / El Filibusterismo / Harry Potter / the Bible / Attack on Titan / the Avengers / One Piece / Hamlet / Titanic / the constitution / Florante at Laura / The Last of Us / Final Fantasy / Before Sunrise / Back to the Future
gadgetissue = won't turn on / keeps restarting / is overheating / is leaking / makes a loud noise / won't charge / is very slow / smells burnt / has a cracked screen / won't connect to wifi
ordn = first / second / third / fourth / fifth / sixth / seventh / 1st / 2nd / 3rd / 10th / twelfth
superl = largest / oldest / tallest / richest / most populated / longest / smallest / highest / deepest / most spoken
adjq = safe / legal / expensive / healthy / free / worth it / common / normal / dangerous / hard / risky / permanent / taxable / refundable / reliable / waterproof
unit = euros / dollars / pesos / kilometers / miles / grams / cups / Celsius / hours / square meters / yen / inches / pounds / liters
tech = Python / JavaScript / SQL / Excel / React / bash / C++ / Java / pandas / git / Docker / PHP / Figma / Google Sheets / WordPress / CSS
clist = a list / an array / a linked list / a string / a dataframe / a table / a file / a folder / a spreadsheet / a queue
""")

FOLLOWUP_OBJECTS = {
    "P": "(it|it|it|that|that|this|that one|these|those|your answer|the answer|the above|all of that|the whole thing)"
}

FRESH_OBJECTS = lines("""
{topicn}
the difference between {topicn} and {topicn}
the plot of {title2}
the {ordn} chapter of {title2}
the {ordn} law of (thermodynamics|motion)
the {ordn} amendment
the first (aid|steps) for {sym}
the last (episode|scene|chapter|season) of {title2}
the history of {country}
the life of {person3}
the causes of World War (I|II|1|2|One)
(this|the following) (text|paragraph|message|sentence): "{quoted}"
"{quoted}"
this email from {person}: "{quoted}"
the last email from {person}
the previous (government|administration|owner|tenant|employer)'s (policy|rules|lease|debt)
the second half of the (game|movie|year)
the rules of (chess|tongits|basketball|mahjong|poker|volleyball)
the process of (renewing|getting|replacing) (a|my) {doc}
the requirements for a {doc}
the pros and cons of (buying|renting) a {item}
the lyrics of (Anak|Bahay Kubo|Bohemian Rhapsody|Lupang Hinirang|Happy Birthday)
a (cover letter|resignation letter|birthday message|poem|speech|caption|thank you note|complaint letter) for {person}
the word ("{w1}"|{w1})
the phrase "{quoted}"
the first (quarter|semester|trimester|paragraph) (results|grades|report|topics)
how (photosynthesis|a car engine|the stock market|wifi|a vaccine|a battery|a microwave) works
my (last|previous|first|latest) (payslip|electric bill|salary|bank statement|grade|x-ray result|lab result|blood test)
last (week|month|year|night)'s (report|sales|meeting|game|numbers|bill)
the minutes of (our|the) last meeting
the (before and after|first and last) (photos|names|pages|digits)
the theory of (relativity|evolution|plate tectonics)
the previous version of my (app|code|resume|thesis)
the first three (presidents|planets|books|letters|elements)
the last two (digits|chapters|episodes|lines) of (my card|{title2}|the code|the song)
the etymology of ("{w1}"|{w1})
""")

VOCABULARY |= rules("""
start_n = 2 / 3 / 4 / 5 / 7 / 10 / 12 / 20
claim = coffee is bad for you / the earth is flat / you need two IDs / vinegar cures {sym} / the price will go up / I need a {doc} first / {place} is dangerous / the exam is moved / garlic lowers blood pressure / you can't fly pregnant / it takes two weeks / the first month is free / {dish} is fattening / walang pasok tomorrow
quoted = I'll be late today / Happy birthday to you / See you again soon / The meeting is moved to Monday / Please confirm your order / To be or not to be / Long time no see / The first one is always free / Thanks for your help earlier / I love you / We will call you back / Your package has arrived / As I said before, it's final / Last but not least
w1 = gratitude / love / sustainable / kilig / resilience / deadline / serendipity / invoice / tomorrow / again / first / before / earlier
""")

FOLLOWUPS = lines("""
(and |)(what|how) about {place}?
(and |)(what|how) about (for |){persons}?
(and |)(what|how) about {when2}?
(and |)in {unit}?
(and |)in {place}?
(and |)for {persons}?
(and |)(for|with) {person}?
(and |)on (weekends|holidays|Mondays|Android|iPhone|Windows|Mac|mobile)?
why?
why (is|was) that?
why (not|so|though|tho)?
how (so|come|exactly|long|much|many|far|often|old)?
how (much|long|many) (would|will|does|did) (that|it|they|this) (cost|take|last|weigh|need|pay)?
how (much|long) is (it|that)?
is (it|that|this) {adjq} (for {persons}|in {place}|)?
are (they|those|these) {adjq} (for {persons}|in {place}|)?
(does|will|would|can) (it|that|this) (work|apply|count|happen|be done|be used) (for {persons}|in {place}|on {when2}|{when2}|)?
(do|can|should) I (need|bring|pay|wear|use|do|eat|drink|take|buy) (it|that|one|them) (too|{when2}|every day|with food|in advance|online|)?
what if (I'm|he's|she's|we're|they're) (late|a minor|not married|a foreigner|pregnant|allergic|broke|abroad|alone|too old)?
what if (it rains|it fails|it's closed|they refuse|I lose it|I can't|there's no signal|I don't have one|it expires|nobody answers|it's not enough)?
(and |but |)what if (it's|that's) (for {persons}|in {place}|{when2})?
and then?
then what?
what (happens|do I do|comes) (next|after that|then)?
so (what|which one|how much|when|where) (should I do|is better|is it|do I start|do I go)?
which (one|of them|of those) is (better|cheaper|faster|safer|best|closer|easier|healthier)?
(any|got any|what are some) (others|other options|alternatives|examples|cheaper ones|more)?
(anything|what) else?
(tell me|give me|I want|show me) (more|another one|one more|more examples|more details|a few more|five more)
(can you|please|could you|) (make|keep) it (shorter|longer|simpler|more formal|funnier|friendlier|sweeter|one line|less technical) {please}
(make|keep) (it|that) (shorter|longer|simpler|formal|funny|polite) {please}
(shorter|longer|simpler|louder|slower|more formal|in one line|as a table|as bullets|in {lang2}) {please}
(translate|convert) (it|that) (to|into) {lang2}
(say|repeat) (it|that) (again|one more time|slowly|in {lang2}|) {please}
(come again|pardon|huh|what|sorry what|say again|I didn't catch that)?
(are you|you) sure (about that|)?
(is|was) that (true|correct|right|all|legal|final|it|everything|enough)?
(really|seriously|for real)?
who (is|was) (he|she|that|it by|in charge of it)?
when (was|is|did|does) (that|it|he|she|this|they) (happen|start|end|born|die|open|close|begin|)?
where (is|was|can I find|do I get|do I buy) (it|that|them|one|this)?
(what's|what is|what are) (his|her|their|its) (name|address|phone number|price|birthday|side effects|capital|website|opening hours|number)?
what does (it|that|this) (mean|do|cost|look like|taste like|include)?
what do you mean (by that|)?
(explain|clarify|elaborate|continue|go on|keep going|more please|expand)
(can|could) you (explain|clarify|elaborate|expand|continue|check|be more specific|give an example|give examples)?
(for|an) example?
like what?
such as?
(since|until) when?
(by|with) whom?
(how|what) (do|did|does|will) (I|they|he|she|we) (do|know|get|fix|start|use|apply for) (it|that|this)?
(does|did) (he|she|they|it) (win|survive|have kids|get paid|need a license|still exist|come back)?
(and|but) (isn't|wasn't|aren't) (it|that|they) {adjq}?
(I don't|I still don't|I didn't) (get|understand|follow) (it|that|)
I don't (like|agree with|believe) (it|that)
(that's|it's) (too long|too short|wrong|not what I asked|not right|too expensive|confusing|too hard|perfect, do it for {place}|not enough)
(try|do it|redo it|check) again {please}
what about (with|without) (sugar|a car|a visa|insurance|wifi|meat|an ID|experience|a degree|rice|oil|milk)?
(without|with) (sugar|a visa|a car|an oven|experience|onions|coconut milk|insurance|a guarantor)?
instead of (rice|sugar|butter|a bank|a bus|vinegar|cash), what (can I use|else)?
(only|just) {persons}?
(same for|also for|also in|and also|even for|even in) {place}?
(can|could) I (do|use|get|pay for|eat|cancel|return|freeze) (it|that|this|them) (online|later|{when2}|by phone|without one|instead|for free|too)?
(what's|whats) the (cheapest|fastest|best|easiest|safest) (one|option|way|among them)?
(what's|what is) the (difference|catch|downside|price|deadline|limit|fee|address|phone number|capital|population|currency|source)?
how (did|do|does) (that|they|it) (work|happen|start|end|know|compare)?
(yes|yeah|yep|sure|ok|okay|no|nope), (do it|please|go ahead|continue|the other one|I'll take it|try again|not yet)
(if not|otherwise|if so|in that case), (what|where|how|what should I do|what then)?
(that's|it's) for {persons}(, right|?)
(and|or) {when2}?
is there (a|any) (cheaper one|faster way|limit|fee|discount|deadline|app for that|penalty for that|other way)?
(my|the) (result|total|output|screen) is (different|wrong|blank|bigger), why?
I (tried|did) (it|that|this) (already|but it didn't work|and it failed|but I got an error), (what now|what next|now what)?
(add|include|put|remove|change) (more salt|the date|my name|a title|prices|emojis|the address|a deadline|the second column|headers) (to it|in it|there|)
(now |)(do|try|write|make) (the same|it|one|that) for {place}
(now |)(do|write|make) (the same|it|one) (but|only) (shorter|in {lang2}|for {persons}|for {person}|funnier|with numbers)
{place}?
{persons}?
what time (does it|do they|is it) (open|close|start|end|)?
how (big|tall|old|heavy|far|deep|hot|strong|bad) is (it|that|he|she)?
do (they|you) (deliver|accept cards|ship|have branches|have it|sell it|open) (there|in {place}|{when2}|)?
(what|how) (would|should) I (say|reply|respond|wear|bring|do) then?
(which|what) (day|year|brand|size|color|page|step|branch|bus|model) (is it|exactly|then|should I get|)?
(convert|change|turn) (it|that|them) (to|into) {unit}
and the (price|side effects|requirements|deadline|downside|address|cost|dosage|fee|ingredients)?
""")

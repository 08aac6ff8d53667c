"""Taglish: words for slots, follow-ups that lean on the last answer, and objects of fresh requests."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.taglish_negatives import NEGATIVES as NEGATIVES

VOCABULARY = rules("""
said_clause = (need|kailangan|hindi need|kailangan muna) ng {papel} / (bawal|pwede|safe|hindi pwede) (yung {ulam}|mag-travel sa {lugar}|sa {mgatao}|yun) (sa {mgatao}|{kailan2}|) / {halaga} lang (yung fee|yung bayad|ang rent|yung shipping) / may (penalty|discount|fee|warranty) (pa |) (pag late|{kailan2}|sa {app}|)
said_clause = (aabot|inaabot) ng (two|3|limang) (days|weeks|months|araw) / (i-restart|i-reset|i-update|palitan) (muna |lang |) yung {gamit} / mas (mura|safe|okay|sulit) (sa {lugar}|pag {kailan2}|yung {gamit}) / (closed|open) yung {lugar2} {kailan2} / no need na (mag-book|mag-apply|bumalik) / refundable yung deposit
said_clause = ilagay sa (last|huli|una) yung (gatas|asin|cheese) / (first|last) day na ng {papel} {kailan2} / wag (muna |) (mag-invest|magbayad|kumain ng {ulam}|matulog ng basa) / effective sa {sakit} yung (luya|water therapy|honey) / two valid IDs lang (need|ok na)
lugar = Cebu / Davao / Baguio / Manila / Japan / Dubai / Saudi / Makati / BGC / Cubao / Canada / Singapore / HK / Korea / Palawan / province / QC / Batangas / Iloilo / Tagaytay / Taiwan / Boracay / US / Siargao / Antipolo / La Union / Qatar / Laguna
lugar2 = mall / office / airport / hospital / school / embassy / city hall / barangay / MRT / gym / bank / palengke / clinic / DFA
tao = mama ko / boss ko / jowa ko / anak ko / prof ko / landlord ko / bff ko / ate ko / client ko / kuya ko / teacher ko / officemate ko / ex ko / dentist ko / tita ko / manager ko / groupmate ko / HR namin
mgatao = bata / buntis / senior / student / beginner / OFW / nurse / freelancer / foreigner / baby / pusa / aso / minor / first timer / small business / diabetic
kailan2 = bukas / mamaya / this weekend / next week / sa Sunday / tonight / pag rainy season / sa December / sa Friday / mamayang gabi / next month / pag holiday / tomorrow morning / this Friday / sa payday
gamit = phone / laptop / rice cooker / aircon / motor / kotse / printer / ref / wifi / iPhone / washing machine / earphones / tablet / keyboard / TV / air fryer / camera / e-bike / PC
ulam = adobo / sinigang / carbonara / lumpia / samgyup / milk tea / fried chicken / leche flan / pancit canton / sushi bake / tinola / kare-kare / graham cake / ramen / sisig / overnight oats / banana bread
paksa = photosynthesis / inflation / crypto / SSS / Pag-IBIG / machine learning / stocks / diabetes / compound interest / Docker / PCOS / credit score / VAT / anxiety / blockchain / mitosis / thesis / EDSA revolution / dengue / OOP
papel = passport / driver's license / NBI clearance / visa / birth certificate / TIN / PhilHealth / COE / postal ID / police clearance / PRC license / national ID / diploma / payslip / 2316
sikat = Rizal / Bonifacio / Pacquiao / Taylor Swift / Elon Musk / BLACKPINK / Marcos / Einstein / Vice Ganda / Kathryn Bernardo / LeBron / SB19 / Catriona Gray
sakit = fever / headache / ubo / sipon / toothache / sakit ng tyan / pimples / back pain / sore throat / allergy / hilo / UTI / acidity / dandruff / insomnia
sira = ayaw mag-on / nag-hang / sobrang init / ayaw mag-charge / ang bagal / basag screen / di makaconnect / nag-black screen / tumutulo / ayaw gumana / nag-restart mag-isa / may error
kailandati = kahapon / last week / two weeks ago / last month / kanina / kaninang umaga / nung Saturday / 3 days ago / last year / kagabi / an hour ago / two years ago / nung isang araw / nung Monday / 5 years ago
panahon2 = week / month / year / Friday / sem / Christmas / sweldo / game / weekend
halaga = 500 / 20k / 1,500 pesos / $50 / 2k / isang libo / 100k / 350
gawain = mag-invest / mag-code / magluto / mag-drive / mag-ipon / mag-swim / mag-edit ng video / mag-apply ng work / mag-diet / mag-aral ng Korean / mag-online selling / mag-gym / mag-freelance / mag-review for boards
app = GCash / Shopee / Lazada / Messenger / TikTok / Excel / Canva / Facebook / Python / Maya / ChatGPT / Grab / Gmail / Windows / Google Drive / Instagram / Word
palabas = One Piece / Avengers / Noli / El Fili / Squid Game / Harry Potter / Attack on Titan / The Last of Us / Encantadia / Titanic / Maria Clara at Ibarra / Hello Love Goodbye / ML / Valorant / Bible
ikang = first / second / third / unang / pangalawang / pangatlong / 1st / 2nd / 3rd / 4th / ikalawang / ikatlong
bansa = Pinas / Philippines / Japan / US / Korea / China / Spain / Canada / France / Brazil
adj = safe / legit / mahal / worth it / legal / bawal / libre / healthy / normal / delikado / effective / waterproof / sulit / hassle / okay lang
sipi = Happy birthday / See you later / Ingat ka / I love you / Thanks sa tulong kanina / Balik ka ulit / Sorry late ako / First of all, thank you / Tatawagan ka namin ulit / Seen lang? / Noted po / Per my last email / G ako mamaya
balita = masama daw kape / need daw two valid IDs / tataas daw gas / walang pasok daw / bawal daw sa buntis / free daw first month / nakakataba daw {ulam} / scam daw yun / isasara daw EDSA / last day na daw ng {papel}
pera = dollars / pesos / USD / PHP / euros / yen / won / riyal / kilo / cups / inches
""")

FOLLOWUP_OBJECTS = {
    "P": "(to|yan|yun|ito|it|that|this|yan|sagot mo|yung sagot mo|yung answer|lahat yan|that one)",
    "Psa": "(dito|diyan|dyan|dun|sa sagot mo|dun sa sagot)",
    "Png": "(nito|niyan|nyan|nun|ng sagot mo)",
}

FRESH_OBJECTS = lines("""
{paksa}
difference ng {paksa} at {paksa}
{ikang} chapter ng {palabas}
last episode ng {palabas}
ending ng {palabas}
first aid sa {sakit}
life story ni {sikat}
history ng {lugar}
meaning ng "{sipi}"
word na "{salita}"
message na to: "{sipi}"
sentence na "{sipi}"
email na to from {tao}: "{sipi}"
requirements sa (pagkuha ng |) {papel}
process ng pagkuha ng {papel}
pros and cons ng (pagbili ng {gamit}|{gawain})
second law of motion
last will ni {sikat}
first president ng {bansa}
previous (bill ko sa Meralco|payslip ko|boss ko|employer ko|landlord namin)
last month na (bill|sales|report|gastos) ko
last email ng {tao}
minutes ng last meeting namin
lyrics ng (Tadhana|Buwan|Pasilyo|Huling El Bimbo|Himala)
recipe ng {ulam}
cover letter ko for {lugar}
rules ng (tongits|chess|basketball|ML|mahjong)
first three (chapters ng {palabas}|planets|presidents ng {bansa})
last two (digits ng card ko|episodes ng {palabas}|lines ng kanta)
sinabi ng (doktor|prof|boss|HR) (ko |namin |)(kanina|kahapon|)
questions sa (exam|interview|quiz) (namin |ko |) (kahapon|last week|kanina|)
""")

VOCABULARY |= rules("""
salita = kilig / sana all / una / huli / bes / gunita / deadline / slay / again / earlier / char / sus / lowkey
""")

FOLLOWUPS = lines("""
bakit (po|naman|ganun|nga|daw|hindi|)?
why (naman|nga|ganun|po|not|)?
(bakit|bat|why) (po |) (ganun|ganyan|so mahal|hindi pwede|ang tagal)?
(pano|paano|how) (po |naman |) (kung|if|pag) (sa {lugar}|{kailan2}|dalawa|tatlo kami|wala akong budget|di pwede|umuulan|nasa {lugar} ako|walang ID|minor|buntis|lost na|late na|foreigner)?
(eh |e |) (kung|pano kung|what if|pag) (sa {lugar}|{kailan2}|sa gabi|apat kami|wala ako nun|ayaw nila|closed|sold out|di gumana|may anak|walang wifi|expired na)?
(eh |e |) (sa|yung sa|how about sa|what about sa|kumusta sa) {lugar}?
(how about|what about|pano naman) (pag |) {kailan2}?
(how about|what about|pano|eh) (yung |sa |for |) {mgatao} (naman|po|)?
(sa|in|pati sa) {lugar} (po|naman|ba|kaya|rin|)?
(for|para sa|pwede sa|ok sa) {mgatao} (ba|po ba|din ba|)?
(kelan|kailan|san|saan|sino|magkano|ilan|hm|how much|alin) (po|naman|ba|nga|daw|)?
(magkano|how much|hm) (po |ba |naman |) (yun|yan|to|lahat|isa|per piece|aabutin|total)?
(gaano|gano) (po |ba |) (katagal|kalayo|kamahal|kahirap|kadalas|kalaki) (yun|yan|)?
{adj} (ba|po ba|ba talaga|naman ba) (yun|yan|to|sya) (sa {mgatao}|for {mgatao}|{kailan2}|)?
(legit|sure|talaga|totoo|weh|seryoso|fr) (ba|ka ba|ka|yan|po|)?
(pwede|pede|pwd) (ba|po ba|kaya) (yun|yan|to|sya) (sa {mgatao}|{kailan2}|sa {lugar}|online|araw-araw|via {app})?
(pwede|pede) (bang|ba) (iba|bukas na lang|installment|i-cancel|i-refund|half lang|no sugar|walk in|COD|i-freeze)?
(alin|which|ano) (ba |) (yung |) (mas mura|mas mabilis|better|best|mas okay|pinaka mura|mas safe|mas sulit) (dun|sa dalawa|diyan|)?
(ano|may|meron) (pa|pa ba|pa bang iba|iba pa|ibang option|ibang way)?
(bigyan mo|give) (pa |) (ako |me |) (ng |) (isa pa|examples|5 more|iba pa|mas mura|more)
(dagdagan|paikliin|habaan|ulitin|ayusin|ituloy|i-shorten|i-continue|lakihan) mo (pa|nga|naman|po|pls|)
(mas maikli|mas simple|mas formal|shorter|simpler|isa pa|more|mas funny|mas detailed|yung tagalog) (po|naman|nga|pls|)
{dotrans} (to |yan |) (sa|to|in) {lang2}
(in|sa) {lang2} (naman|po|nga|pls)
(di ko|hindi ko|di ko pa rin) (gets|ma-gets|maintindihan) (po|yan|eh|huhu|)
(ano|anong) (po |) ibig (mong |) sabihin (niyan|nun|nito|)?
(anong|what do you) mean (mo |) (nun|by that|diyan|)?
(tapos|tas|and then|then) (ano na|ano|what|ano gagawin|ano next|)?
(ano|anong) (na |po |) (next|susunod|gagawin ko|need ko|dadalhin ko|step)?
(need|kailangan|dapat) (ko |) (ba|po ba|pa ba) (nun|niyan|yan|bayaran yun|mag-reserve|dalhin yun|ng ganun)?
(san|saan|where) (po |ba |) (ako |) (makakabili|pwede kumuha|pupunta|makaka-order|magbabayad|mag-download) (nun|niyan|nito|)?
(sino|ano) (po |ba |) (sya|siya|yun|sila|yung owner|gumawa nun)?
(anong|ilang) (year|oras|araw|color|size|brand|branch|page|kilo|pieces) (po|ba|naman|nga|yun|)?
(anong|what) (oras|time) (po |ba |) (sila |) (open|close|nag-oopen|nagsasara|start)?
(may|meron) (ba|bang|po bang) (bayad|penalty|limit|mas mura|ibang way|side effects|discount|deadline|app|free trial)?
(like|tulad ng|gaya ng|such as) (ano|what)?
(for example|example|halimbawa)?
(kahit|pati|even) (sa {lugar}|{mgatao}|Sunday|walang resibo|weekend)?
(oo|opo|yes|sige|go|g|okay|no|ayoko), (ituloy mo|gawin mo|do it|yung mura|isa pa|wag na|next|try mo)
(mali|wrong|parang mali|di tama|luh mali) (ata|yata|po|) (yan|yung sagot|)
(na-try|sinubukan|ginawa) ko na (pero ayaw|pero error|and di gumana|pero ganun pa rin), (ano na|bakit kaya|what next|pano na)?
(pag|kung|what if) walang (oven|gata|sasakyan|visa|pera|experience|wifi|valid ID|onion), (ano pwede|pwede ba|pano|ano pamalit)?
(at|eh|and) (yung |) (price|bayad|ingredients|requirements|deadline|side effects|travel time|dosage|fee)?
(gumagana|applicable|kasya|okay|aabot|uubra) (ba|po ba) (yun|to|yan) (sa {lugar}|sa {mgatao}|{kailan2}|sa {app})?
(kung|if) (oo|hindi|ganun|not|yes), (pano|san|ano gagawin ko|magkano|what then)?
(gawin mo|do|make) (din |rin |the same |) (for|sa|para sa) {lugar}
(add|dagdag|isama|tanggalin|palitan|lagyan) mo (ng |yung |) (emoji|date|name ko|price|title|onions|deadline|second row) (pls|po|)
(in|to) {pera} (naman|po|pls|magkano|)
{lugar} (naman|po|kaya|)?
kasama (na ba|ba|rin ba) (dun|diyan) (yung |) (tax|food|shipping|bata|service fee|rice)?
""")

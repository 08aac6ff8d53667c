"""Cebuano: how people point back at a turn of the conversation."""

from __future__ import annotations

from training.references.grammar.cebuano_fresh import FOLLOWUP_OBJECTS, FOLLOWUPS, FRESH_OBJECTS, NEGATIVES, VOCABULARY
from training.references.grammar.compose import lines, rules
from training.references.grammar.language import Grammar

RULES = (
    rules("""
ang = ang / kadtong / katong / kadto nga / ang / ang katong / tong
sa = sa / sa / adtong / sa katong / didto sa / ngadto sa
ng = sa / sa katong / adtong
t = pangutana / pangutana / mensahe / question / gipangutana
s = tubag / tubag / reply / answer / gisulti / pasabot
ts = pangutana / tubag / mensahe / topic / gihisgutan
gipangutana = akong gipangutana / akong pangutana / gipangutana nako / gi-ask nako / giingon nako
giingon = imong gisulti / imong giingon / imong tubag / gitubag nimo / giingon nimo / gisulti nimo / imong gi-explain / imong gihatag / gi-mention nimo
ba = man / ba / gani / diay / man gani / man to / _
lang = lang / palihug / pls / please / _ / _ / ha / bi
istorya = istorya / istorya nato / chat / chat nato / panag-istorya / convo / convo nato
usba = balika / balika palihug / usba pag-ingon / i-repeat / ulita / palihug balika / pwede nimo balikon / pwede balikon / isulti usab / ibalik
pakita = ipakita / pakita-a / pangitaa / ipakita balik / tan-awa nato / ipadala balik / i-show
pasabta = ipasabot / i-explain / klaroha / pasabta ko sa / palihug ipasabot / pwede nimo i-explain / ipasabot palihug
ngano2 = nakalimot ko / wala ko kasabot / wala nako na-save / nawala sa akong screen / kinahanglan nako sa trabaho / wala ko kabantay / nalowbat ko / gipangita sa akong boss
dugtong = pila gani to / sigurado ka / unsa imong pasabot / dili ko kasabot / tinuod ba / naa bay lain / wala mugana / gisuwayan na nako / unsa sunod / asa ko magsugod / pwede pa ba / ngano man / unsa gani to / pwede dugangan / naa koy pangutana / dugay ba na / apil ba ko ana
lang2 = English / Tagalog / Binisaya / Bisaya / Spanish
anyo = table / email / listahan / PDF / mubo nga text / bullet points
""")
    | VOCABULARY
)

TASKS = lines("""
{pasabta} {P} {lang}
{pasabta} {P} (sa simple nga pulong|og hinay-hinay|usab|nga naay ehemplo|)
(i-summarize|mubo-a|sumarya-a|i-shorten) {P} {lang}
(i-translate|hubara|i-translate palihug) {P} (sa|to|ngadto sa) {lang2}
(himoa|himoang|i-convert) og {anyo} {P} {lang}
(ipadala|i-send|i-forward) {P} (sa|kang) (akong boss|mama|akong maestra|among gc)
(dili|wala) ko kasabot {Psa}
(naglibog|nalibog) (pa |) ko {Psa}
(tinuod|sakto|sigurado) (ba|gyud ba) {P}?
(i-check|susiha|tan-awa) {P} kung (sakto|naa bay sayop|kompleto)
unsa (man |) (ang |) (pasabot|buot ipasabot|point) {Png}?
(hatagi ko|tagai ko) og (ehemplo|dugang detalye|source) {Psa}
(i-save|isulat|tipigi|hinumdomi) {P} {lang}
(i-edit|usba|tarunga|i-rewrite) {P} {lang}
ngano (man |) (ingon ana|taas kaayo|mubo ra) {P}?
""")

RECALLS = lines("""
unsa {ba} {P}?
unsa {ba} (to |) {P} (usab|gani|)?
{usba} {P} {lang}
{usba} {P}, {ngano2}
{pakita} {P} {lang}
(balik|mobalik|balik sa ta|balik ta|mobalik ta) {Psa} {lang}
(balikan|balikon|hisgutan usab) (nato |ta |) {P}
{P} {lang}
{P} (usab|gani|pud|na pud|na sab)
{P}, {dugtong}
(mahitungod|bahin|kabahin) {Psa}, {dugtong}
{Psa}, {dugtong}
(ang akong gipasabot|akong pasabot|ang buot nakong ipasabot) (kay |mao |) {P}
{P} (ang|akong) (akong gipasabot|gipasabot nako|kinahanglan nako|gusto nako)
dili (na|kana|to), {P}
(ay sayop|sayop diay|kadiyot|hulat), {P} diay
(nakahinumdom|makahinumdom) (pa |) (ka|ba ka) {Psa}?
(nakalimtan|nalimtan) (na |) nako {P}
(wala nako makita|dili nako makita|nawala) {P}, {usba}
naa (koy|pa koy) pangutana {Psa}
(tubaga|padayona|i-continue) (usab |) {P} {lang}
unsa {ba} (ang |) imong (tubag|gitubag|giingon) {Psa}?
(base|sumala) {Psa}, {dugtong}
(salamat|sige|okay), (karon |) {P} na pud
(pareho|lahi) ba ni {Psa}?
ganahan (ko|nako) {Psa}
{P} (ang gamita|ang sunda|na lang)
""")

ORDINAL = lines("""
{start.nth_ng} {t} nako
akong {start.nth_ng} {t}
imong {start.nth_ng} {s}
{start.nth_ng} {ts}
{start.nth_ng} (butang nga |) {gipangutana}
{start.nth_ng} {giingon}
{start.nth}
pangutana (numero|number|no.|#) {start.digit}
(numero|number) {start.card}
#{start.digit}
tubag (nimo |) sa {start.nth_ng} (pangutana|pangutana nako)
imong tubag sa {start.nth}
{start.nth} ug {start.nth}
{start.nth} ug {start.nth_ng} (pangutana|tubag)
(pangutana|tubag|number) {start.digit} ug {start.digit}
unang {head.card_ng} (pangutana|tubag) (nako|nimo|)
(katapusang|last) {tail.card_ng} (pangutana|tubag) (nako|nimo|)
(pangutana|tubag) {from.digit} hangtod {to.digit}
<end=1>(katapusang|kataposang|ulahing|pinakaulahi nga|last nga) (pangutana nako|tubag nimo|pangutana|tubag|mensahe|gisulti nimo)
<end=1>akong (katapusang|ulahing|last nga|last) (pangutana|mensahe)
<end=1>imong (katapusang|ulahing|last nga|last) (tubag|giingon|reply)
<end=1>(katapusan|pinakaulahi|last|ulahi)
{end.nth} (gikan sa|sa) (katapusan|ulahi|ubos)
{end.nth_ng} (pangutana|tubag) gikan sa (katapusan|ulahi)
<end=1>{start1.nth} ug (katapusan|ulahi|last)
({start1=pinakauna}|{start1=pinakaunang} pangutana|{start1=unang} pangutana) nako
{start.nth} sa (akong mga pangutana|mga pangutana nako|imong mga tubag)
<one_of=1>(usa|bisan asa) (sa|atong) unang {head.card_ng} (pangutana|tubag) (nako|nimo|)
<one_of=1>usa (sa|atong) (katapusang|ulahing|last) {tail.card_ng} (pangutana|tubag) (nako|nimo|)
<one_of=1>{start.nth} (tingali |siguro |) (o|or) {start.nth}
<one_of=1>{start.nth} o {start.nth_ng} (pangutana|tubag) (nako|nimo|)
<one_of=1>(pangutana|tubag|number) {start.digit} o {start.digit}
<one_of=1><start=1><start=2><start=3>usa sa mga (una|nahaunang|pinakauna) (nakong gipangutana|nga pangutana|nimong tubag)
<end=1>(kinaulahian|kinaulahiang|kinaulahian nga|naulahi nga|kataposan nga) (pangutana nako|tubag nimo|pangutana|tubag|giingon nimo)
<end=1>(kinaulahian|kataposan|naulahi|naa sa kataposan|naa sa ubos|sa tumoy)
<end=1>(kinaulahian|kataposan) (nakong|nimong) (pangutana|tubag|giingon|gipangutana)
""")

ORDINAL_SENTENCES = lines("""
unsa {ba} (ang |) {start.nth_ng} (gipangutana|pangutana|gi-ask) nako (nimo|kanimo|)?
unsa {ba} (ang |) imong tubag sa {start.nth_ng} (pangutana|nakong pangutana)?
unsa {ba} (ang |) {start1=una} nakong gipangutana (nimo|diri|)?
<end=1>unsa {ba} (ang |) (katapusan|ulahi|last) nakong (gipangutana|gisulti|pangutana)?
<end=1>unsa {ba} (ang |) (katapusan|ulahi|last) nimong (gisulti|tubag|giingon)?
{start.nth_ng} pangutana {lang}
balik ta sa {start.nth} {lang}
(i-compare|itandi|i-combine) ang {start.nth} ug {start.nth_ng} tubag (nimo|)
dili (ang |) (una|katapusan|ikaduha), (ang |kadtong ) {start.nth}
(i-summarize|balika) ang unang {head.card_ng} (pangutana|tubag)
(i-summarize|balika) ang (katapusang|last) {tail.card_ng} (pangutana|tubag)
daghan (na |) kog gipangutana, (tubaga|balika) ang {start.nth}
<one_of=1>{start.nth} (tingali |siguro |) o {start.nth}(, dili ko sigurado|, usa ana|), {dugtong}
<one_of=1>usa sa unang {head.card_ng} (pangutana|tubag)(, nalimot ko asa|), {dugtong}
<end=1>(katong|kadtong|ang) (kinaulahian|kataposan|naulahi|ulahi), {dugtong}
<end=1>(kinaulahian|kataposan), {dugtong}
""")

RELATIVE = lines("""
{ago.card_ng} pangutana (na ang milabay|ang milabay|pabalik|pataas)
(pangutana nako|tubag nimo|gisulti nimo) {ago.card_ng} (pangutana|mensahe|tubag) (na ang milabay|ang milabay|pabalik|ago)
<ago=1>(miaging|nauna nga|previous nga|previous) (pangutana|tubag|mensahe|question) (nako|nimo|)
<ago=1>(sa wala pa ni|una ani|usa ani|before ani)
<ago=1>(pangutana|tubag) (nako |nimo |) (una ani|sa wala pa ni|before ani|sa ibabaw)
<ago=1>usa ka pangutana (pabalik|ang milabay|na ang milabay)
<ago=2>(una sa katapusan|before sa last|sa wala pa ang katapusan|una atong katapusan)
<ago=2>(pangutana|tubag) (nako |nimo |) (una sa katapusan|before sa last|una sa last)
<offset=-1>(pangutana nako|tubag nimo|gisulti nimo|) (una sa|sa wala pa ang|before sa) (pangutana bahin sa|bahin sa|katong bahin sa) {topic.np}
<offset=1>(pangutana nako|tubag nimo|gisulti nimo|) (human sa|sunod sa|pagkahuman sa|after sa) (pangutana bahin sa|bahin sa|katong bahin sa) {topic.np}
<offset=1>(sunod|misunod|sunod nga pangutana) sa (pangutana nako bahin sa|bahin sa) {topic.np}
<offset=-1>(gihisgutan nato|gipangutana nako) (sa wala pa nato hisguti|una nato gihisgutan) ang {topic.np}
<offset=1>(sunod|misunod|pangutana human) sa {start.nth}
<offset=-1>(pangutana |tubag |)(una sa|sa wala pa ang) {start.nth}
<offset=-1>(pangutana nako |tubag nimo |katong |)(ayha sa|ayha pa sa|nag-una sa|nauna sa) (bahin sa |pangutana sa |) {topic.np}
<offset=1>(katong |pangutana nga |)(misunod sa|nisunod sa|sunod sa|nagsunod sa) (bahin sa |pangutana sa |) {topic.np}
""")

RELATIVE_SENTENCES = lines("""
unsa {ba} (ang |) (akong gipangutana|gipangutana nako) {ago.card_ng} pangutana (ang milabay|na ang milabay|pabalik)?
unsa {ba} (ang |) (imong gisulti|gisulti nimo|imong tubag) {ago.card_ng} (pangutana|tubag) (ang milabay|pabalik)?
(balik|atras) (ta |ka |) og {ago.card_ng} (pangutana|mensahe) {lang}
<ago=1>(balik|atras) (ta |ka |) og usa
<ago=1>unsa {ba} (ang |) (akong|nako nga) (miaging|previous nga) pangutana?
<ago=2>unsa {ba} (ang |) gipangutana nako (una ato|before ato|una sa katapusan)?
<offset=-1>unsa {ba} (ang |) (gipangutana nako|gihisgutan nato) (una sa|before sa|sa wala pa ang) (bahin sa |) {topic.np}?
<offset=1>unsa {ba} (ang |) (gipangutana nako|gihisgutan nato|gisulti nimo) (human sa|after sa|pagkahuman sa) (bahin sa |) {topic.np}?
{ago.card_ng} pangutana (pabalik|ang milabay), {dugtong}
<offset=1>human sa {topic.np}, unsa {ba} (ang |) (sunod nakong gipangutana|gipangutana nako)?
""")

TEMPORAL = lines("""
<time=just_now>(bag-o lang nimo gisulti|bag-o nimong gisulti|bag-o pa nimo giingon|gisulti nimo bag-o lang|bag-o lang nimo gitubag|giingon nimo karon lang|gisulti nimo karon lang)
<time=just_now>(bag-o lang nako gipangutana|bag-o nakong gipangutana|gipangutana nako karon lang|bag-o pa nako gisulti)
<time=just_now>(bag-o lang|karon lang|bag-o pa lang)
<time=just_now>imong (tubag|gisulti|reply) (bag-o lang|karon lang|bag-o pa)
<time=earlier>(imong gisulti|gisulti nimo|imong tubag|giingon nimo|imong gihatag) (ganiha|kaganiha|sauna|ganina|kagahapon ra)
<time=earlier>(akong gipangutana|gipangutana nako|akong pangutana|gisulti nako) (ganiha|kaganiha|ganina|sa una)
<time=earlier>(ganiha|kaganiha|ganina)
<time=earlier>(gihisgutan|gi-istoryahan|topic|istorya) nato (ganiha|kaganiha|ganina)
<time=opening>(gipangutana nako|gisulti nako|imong gisulti|gihisgutan nato) (sa sinugdanan|sa pagsugod|pagsugod nato|pag-abli nako ani|sa sinugdan sa {istorya}|sa start)
<time=opening>(sinugdanan|sinugdan|pagsugod) sa {istorya}
<time=opening>(sa sinugdan|sa sinugdanan|sa pinakasugod|pagsugod pa lang)
<time=opening>(sa sinugdan|sa sinugdanan|pagsugod), (imong giingon|gipangutana nako|gihisgutan nato)
""")

TEMPORAL_SENTENCES = lines("""
<time=just_now>unsa {ba} (ang |) (bag-o lang nimo gisulti|imong gisulti karon lang|gisulti nimo bag-o lang)?
<time=just_now>(kadiyot|ha), unsa to imong giingon (karon lang|bag-o lang)?
<time=just_now>wala nako (nasabti|nabasa|nasabtan) (ang |) (bag-o lang nimo gisulti|imong gisulti karon lang)
<time=just_now>bag-o lang nimo giingon nga (pwede|dili pwede|libre|bawal), (di ba|ngano lahi na)?
<time=earlier>unsa {ba} (ang |) (imong gisulti|gisulti nimo|imong giingon) (ganiha|kaganiha|ganina)?
<time=earlier>unsa {ba} (ang |) (akong gipangutana|gipangutana nako|gihisgutan nato) (ganiha|kaganiha|ganina)?
<time=earlier>(balik|mobalik) ta sa (ganiha|gihisgutan nato ganiha|istorya nato ganiha|imong gisulti ganiha)
<time=earlier>naa kay (gisulti|giingon|gihatag) (ganiha|kaganiha), {dugtong}
<time=earlier>naa koy gipangutana (ganiha|kaganiha|nimo ganiha), (unsa gani to|unsa imong tubag|nakahinumdom ka)?
<time=earlier>dili (mao|ingon) ana imong giingon ganiha
<time=earlier>(sama|pareho) sa imong giingon ganiha, {dugtong}
<time=opening>(giunsa|asa) (man |) pagsugod (ang |ning |) (atong istorya|istorya nato|chat)?
<time=opening>unsa {ba} (ang |) (gipangutana nako|gihisgutan nato|akong tuyo) (sa sinugdanan|sa pagsugod nato|pag-abli nako sa chat)?
<time=opening>balik ta sa (sinugdanan|sinugdan|pagsugod)
<time=opening>(sa sinugdan|sa sinugdanan|sa pagsugod nato), (unsa|pila|asa|kinsa) (to |gani |)(imong giingon|imong tubag|gipangutana nako)?
<time=opening>(sa sinugdan|sa sinugdanan|sa pagsugod), {dugtong}
""")

TOPIC = lines("""
(bahin|mahitungod|kabahin|about) sa {topic.np}
(akong pangutana|pangutana nako|gipangutana nako|akong gipangutana) (ganiha |) (bahin|mahitungod|kabahin|about) sa {topic.np}
(imong gisulti|imong tubag|gisulti nimo|imong tambag|giingon nimo) (ganiha |) (bahin|mahitungod|kabahin|about) sa {topic.np}
{topic.np} nga (imong giingon|imong gi-mention|gisulti nimo|gihisgutan nato|gipangutana nako) (ganiha|)
sa {topic.np} (ganiha|)
(gihisgutan|istorya) nato (ganiha |) (bahin|kabahin) sa {topic.np}
(tubag|parte|pangutana) (bahin|kabahin|mahitungod) sa {topic.np}
ganiha (bahin |) sa {topic.np}
(bahin|kabahin) sa {topic.gerund}
giingon nimo nga {topic.clause}
""")

TOPIC_SENTENCES = lines("""
unsa {ba} (ang |) (imong gisulti|gisulti nimo|imong tubag|imong tambag) (ganiha |) (bahin|mahitungod|kabahin) sa {topic.np} (ganiha|)?
unsa {ba} (to |) imong (giingon|gisulti) (sa|bahin sa|about sa) {topic.np}?
(balik|mobalik|balik sa) ta (sa|didto sa|adtong sa) {topic.np} (ganiha|nga imong gisulti|)
balik ta sa pangutana nako (bahin sa|sa) {topic.np}
(balikon|hisgutan) nato (usab |) ang {topic.np}
naa kay (gisulti|gi-mention|giingon) (ganiha |) (bahin sa|nga) {topic.np}, {dugtong}
(di ba|dili ba) (naa kay gisulti|imong giingon) (ganiha |) (bahin|kabahin) sa {topic.np}?
{usba} (ang |kadtong |) (imong gisulti |tubag nimo |) (bahin|kabahin) sa {topic.np} {lang}
(kadtong|katong) (sa|bahin sa) {topic.np} (usab|gani|ganiha|palihug)
pahinumdomi ko (sa imong gisulti|sa gihisgutan nato) (bahin|kabahin) sa {topic.np}
ingon (ka|nimo) (ganiha |) (nga |) {topic.clause}(, di ba|, tinuod ba|, ngano man)?
ganiha (gihisgutan nato|gi-mention nimo|gipangutana nako) ang {topic.np}, {dugtong}
{ngano2} (ang |) imong (gisulti|tubag) (bahin|kabahin) sa {topic.np}
asa (na |) (ang |) imong tubag (bahin|kabahin) sa {topic.np}?
sa dihang gipangutana nako ang {topic.np}, unsa imong tubag?
ang {topic.keyword} nga imong (giingon|gi-recommend|gi-mention), unsa gani to?
(pila|asa|kanus-a|kinsa|unsa) gani (to |) (ang |kadtong |) {topic.np} (nga imong giingon|ganiha|nga gisulti nimo)?
(abi nako|kala nako) (ingon ka|giingon nimo) (nga |) {topic.clause}
sumala sa imong (tubag|gisulti), {topic.clause}, {dugtong}
(wala pa nato nahuman|naputol) ang (istorya|gihisgutan) (nato |)(bahin|kabahin) sa {topic.np}
(bahin|kabahin) (gihapon |) sa {topic.np} (ganiha|nga gipangutana nako), {dugtong}
""")

FRESH_OPENERS = lines("""
katapusang pangutana na lang,
last question na,
unang pangutana:
una sa tanan,
ikaduhang pangutana,
sunod nga pangutana,
lain nga pangutana,
lain na pud,
usa pa ka pangutana,
sa dili pa ko makalimot,
""")

OPENERS = lines("""
maayong buntag,
maayong hapon,
maayong gabii,
kumusta,
hello,
hi,
uy,
oi,
kadiyot,
hulat sa,
bai,
dong,
day,
te,
kuya,
boss,
sige,
okay,
salamat.
pasayloa ko,
sorry,
mangutana lang ko,
pangutana lang,
palihug,
unya,
isa pa,
ay,
""")

CLOSERS = lines("""
palihug
salamat
pls
ha
bai
dong
boss
haha
😅
🙏
😊
...
, nagdali ko
, kinahanglan lang nako
bi
""")

GRAMMAR = Grammar(
    lang="ceb",
    rules=RULES,
    cases={"P": "{ang} {X}", "Psa": "{sa} {X}", "Png": "{ng} {X}"},
    tasks=TASKS,
    recalls=RECALLS,
    pointers={"ordinal": ORDINAL, "relative": RELATIVE, "temporal": TEMPORAL, "topic": TOPIC},
    sentences={
        "ordinal": ORDINAL_SENTENCES,
        "relative": RELATIVE_SENTENCES,
        "temporal": TEMPORAL_SENTENCES,
        "topic": TOPIC_SENTENCES,
    },
    followup_objects=FOLLOWUP_OBJECTS,
    fresh_objects=FRESH_OBJECTS,
    followups=FOLLOWUPS,
    negatives=NEGATIVES,
    fresh_openers=FRESH_OPENERS,
    openers=OPENERS,
    closers=CLOSERS,
)

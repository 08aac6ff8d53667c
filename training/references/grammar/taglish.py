"""Taglish: how people point back at a turn when they mix English and Tagalog in a chat."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.language import Grammar
from training.references.grammar.taglish_fresh import FOLLOWUP_OBJECTS, FOLLOWUPS, FRESH_OBJECTS, NEGATIVES, VOCABULARY

RULES = (
    rules("""
ang = yung / yung / yung / ung / 'yung / yong / ang / iyong / yun
sa = sa / sa / dun sa / don sa / doon sa
ng = ng / nung / nang / ng
po = po / _ / _ / _ / _
nga = nga / naman / nga po / po / _ / _ / nga pls
ba = ba / _ / po ba / nga ba / nga / ulit / nga ulit
pls = pls / please / plss / po / _ / _ / _ / plz / thanks / nga
t = question / question / tanong / tanong / query / msg / message / prompt / chat / inquiry
s = answer / answer / sagot / sagot / reply / response / sinabi / explanation / msg / sinend
ts = question / tanong / answer / sagot / reply / msg / topic / usapan / convo
natanong = tinanong ko / inask ko / na-ask ko / natanong ko / sinend ko / chinat ko / tanong ko / question ko / sinabi ko / nabanggit ko / minessage ko / hiningi ko / ni-request ko
sinabi = sinabi mo / sagot mo / answer mo / reply mo / nireply mo / sinagot mo / na-mention mo / minention mo / binigay mo / inexplain mo / sinend mo / nirecommend mo / sinuggest mo / advice mo
convo = convo / convo natin / chat / chat natin / usapan natin / thread / conversation natin / session na to / chat na to
vp = paki / pa / pki
doulit = paki-repeat / pa-repeat / pakiulit / paulit / ulitin mo / i-repeat mo / repeat mo / pa-resend / paki-resend / i-resend mo / pa-send ulit / pakisend ulit / pwede pa-repeat / can you repeat / pwede mo bang i-repeat / pwede paulit / mag-resend ka nga ng
doexp = paki-explain / pa-explain / i-explain mo / explain mo / paki-elaborate / pa-elaborate / i-elaborate mo / pa-clarify / i-clarify mo / paki-breakdown / pwede mo i-explain / can you explain / himayin mo / paki-simplify / pwede pa-explain
dosum = paki-summarize / pa-summarize / i-summarize mo / isummarize mo / pa-recap / i-recap mo / paki-shorten / paikliin mo / paki-condense / gawan mo ng summary / can you summarize
dotrans = paki-translate / pa-translate / i-translate mo / itranslate mo / can you translate / isalin mo
doshow = paki-show / pakita / pa-show / ipakita mo / i-pull up mo / hanapin mo / paki-hanap / show mo / balikan mo / pa-view / ilabas mo ulit
dosend = paki-send / i-send mo / isend mo / paki-forward / i-forward mo / pa-email / i-email mo / paki-share / ishare mo
dosave = i-save mo / paki-save / i-note mo / i-copy mo / pa-copy / i-export mo / paki-export / i-download mo / pa-print / i-screenshot mo
dofix = i-edit mo / paki-edit / ayusin mo / i-correct mo / i-revise mo / paki-revise / i-update mo / baguhin mo / i-redo mo / i-rewrite mo / i-rephrase mo / pa-rephrase / i-improve mo
docheck = i-check mo / paki-check / i-double check mo / pa-verify / i-verify mo / paki-review / i-proofread mo
lang2 = English / Tagalog / Bisaya / Taglish / Ilocano / Spanish / Korean / simple English / Japanese / pormal na Tagalog
format = table / PDF / CSV / Excel / bullet points / email / caption / checklist / ppt / Word / screenshot / text / script / infographic
kanino = boss ko / mama ko / jowa ko / groupmate ko / prof ko / team ko / client ko / gc namin / asawa ko / HR / teacher ko / landlord ko
paano2 = in one sentence / ng mas maikli / in simple terms / step by step / yung madaling intindihin / with example / ng mas detailed / yung parang pang bata / in bullets / ulit / isa pa / one more time / ng buo / yung short lang / mas malinaw
why2 = nakalimutan ko na / di ko na-gets / di ko nabasa ng maayos / na-close ko yung tab / na-lowbat ako / kailangan ko for report / hinihingi ng boss ko / nawala na sa taas / di ko na-save / di ko na mahanap / isesend ko kasi sa client / na-distract ako / di ko na-copy / nakatulog ako haha / need ko for school / nag hang phone ko
cont = magkano ulit / legit ba / sure ka ba / pwede pa ba / ano ulit ibig mong sabihin / di ko pa rin gets / may follow up ako / di gumana sakin / na-try ko na / gaano katagal / san ako magsstart / ano next / pwede ba i-change / may question lang ako / bakit ganun / ano nga ulit yun / may ibang way ba / paano kung di pwede / applicable ba sakin / alin mas mura / tama ba / may error pa rin / totoo ba yun / can you add more / pa-explain / san galing yun / included ba ako dun / paano nga ulit / safe ba
num = number / no. / # / num
""")
    | VOCABULARY
)

TASKS = lines("""
{doexp} {nga} {P} {paano2}
{doexp} {P} {pls}
{dosum} {nga} {P} {paano2}
{dosum} {P} {pls}
{dotrans} {nga} {P} (to|sa|into|in) {lang2} {pls}
{dosend} {nga} {P} (sa|kay|to) {kanino}
{dosave} {nga} {P} (as|sa|into|to) {format} {pls}
{dofix} {nga} {P} {pls}
{dofix} {P}, (mali yung date|mali ata|kulang|masyadong mahaba|mali yung name|may typo|outdated na)
{docheck} {nga} {P} kung (tama|legit|may mali|complete|updated)
(gawin mong|gawing|make it|i-convert mo to|turn mo into) {format} {P}
gawan mo (ako |) ng {format} {P} {pls}
(di|hindi) ko (gets|ma-gets|na-gets|maintindihan|naintindihan|magets|ma-follow) {P}
(nalilito|naguguluhan|nalito|confused|lost) (pa rin |) ako {Psa}
ano (ba |po |) (yung |ang |) (ibig sabihin|meaning|point|gist|summary) {Png}?
(legit|totoo|tama|sure|valid|accurate|updated) (ba|po ba|ba talaga|pa ba) {P}?
(more details|more info|example|examples|source|proof) (nga |naman |pls |) (about|sa|on|for) {Psa}
bigyan mo (nga |) (ako |) ng (example|examples|more details|breakdown|source) {Psa}
(bakit|why) (ganun|ganyan|so long|ang haba|mahalaga|mali) {P}?
(i-compare|compare mo|ikumpara mo|paki-compare) {P} sa (nakita ko online|iba|official site|mas murang option|sabi ng friend ko)
(i-delete|delete mo|ignore mo|skip mo|i-disregard|wag mo na pansinin) (na |na lang |) {P}
(gamitin mo|use mo|i-apply mo|gawin mong basis|i-base mo) (sa |) {P} (for|para sa|sa) (report|essay|caption|presentation) ko
(i-list mo|ilista mo|list down mo) (yung steps|yung key points|yung important|lahat ng numbers) {Psa}
make {P} (shorter|longer|simpler|more formal|mas maikli|mas simple|mas friendly) {pls}
pwede (bang|ba|po bang) (mas maikli|mas simple|tagalog|english|shorter) (na version |version |) {Png}?
(i-pin|pin mo|bookmark mo|tandaan mo|i-remember mo) {P} (for later|ha|para mamaya|)
(i-rate mo|critique mo|ano masasabi mo sa|thoughts mo sa) {P} {pls}
(read|basahin|pabasa) (mo |) (nga |) {P} (out loud|ulit|)
explain {P} like I'm (five|a kid|bata|beginner) {pls}
gusto ko (pa |) (malaman|ma-gets|aralin|maintindihan) (lahat about|) {P}
""")

RECALLS = lines("""
ano {ba} {P}?
ano {ba} {P} (ulit|nga ulit|again|kamo|uli|na nga|)?
what (was|is) {P} (ulit|again|nga|po|)?
{doulit} {nga} {P} {pls}
{doulit} {P}, {why2}
{doshow} {nga} {P} {pls}
(balik|back|bumalik|balik muna|go back|balik nga|let's go back|balik ulit) (tayo |muna tayo |po tayo |) {Psa} {pls}
(balikan|balikan nga|i-revisit|pag-usapan ulit|revisit) natin {P} {pls}
(pwede bang bumalik|pede po bang bumalik|can we go back|pwd ba mag back|pwede ba tayong bumalik) {Psa}?
{P} {pls}
{P} (ulit|again|nga|naman|nga ulit|po ulit|uli)
{P}, {doulit} {pls}
{P}, {cont}
{P}... {cont}
(about|regarding|re|tungkol|as for|yung about) {Psa}, {cont}
{Psa}, {cont}
(ang |yung |) (i mean|ibig kong sabihin|tinutukoy ko|what i meant|hinahanap ko|need ko) (is |ay |po ay |) {P}
{P} (yung|ang) (tinutukoy|need|gusto|hinahanap|ibig kong sabihin|meant) (ko|)
(hindi|di|not) (yan|yun|ito|that), {P} (po|kasi|talaga|)
(ay mali|mali pala|wait lang|teka|ay wait|sorry|oops), {P} (pala|po pala|yata|)
(naaalala|natatandaan|remember|alala) mo (pa|pa ba|ba|pa po ba) {P}?
do you (still |)remember {P}?
(nakalimutan|nalimutan|na-forget) ko (na |) {P}
(di ko makita|di ko mahanap|nawala|di ko na makita) {P}, {doulit}
(may|meron) (question|tanong|follow up|follow-up|clarification|concern) (lang |pa |) (ako|po ako|lang ako) {Psa}
(i-answer|sagutin|answer mo|sagutin mo|i-continue|ituloy mo|tapusin mo|i-retry) (ulit |nga |na |) {P}
ano (yung |ang |) (sagot|answer|reply|sinabi|sinagot|response) mo {Psa}?
pano mo (sinagot|na-explain|inanswer|in-explain) {P}?
(based|base|ayon) (on|) {Psa}, {cont}
{why2}, (kaya |so |) {doulit} {P}
(i-copy paste|kopyahin|i-quote|paste) mo {P} (dito|word for word|ng buo|)
(same|pareho|iba|related|connected) (ba|po ba|lang ba) (to|yan|ito) {Psa}?
(thanks|salamat|ok|okay|sige|nice|oks), (now|ngayon|tapos|next|ngayon naman) {P} (naman|pls|po|)
(mas gusto|bet|nagustuhan|ayaw|type) ko {P}
{P} (na lang|yung gamitin mo|yung sundin natin|yung i-follow|ang piliin mo)
eh {P}?
how about {P}?
pano (na |naman |) {P}?
(remind mo|paki-remind|i-remind mo|paalala mo) (nga |) (ako |) (about |sa |) {Psa}
(refresh|pa-refresh) (mo |ng |) (my memory|memory ko) (about|on) {Psa}
(i-continue|ituloy) (na |) natin {P}
gusto ko (lang |sana |) (balikan|makita ulit|mabasa ulit|i-review) {P}
(alin|which) (ba |nga |dun |) {P}?
(patingin|pasilip|pabasa|pa-see) (nga |ulit |) (ng |) {P}
""")

ORDINAL = lines("""
{start.nth_ng} {t} ko
{start.nth_ng} {s} mo
{start.nth_ng} {ts}
{start.nth_ng} (bagay na |thing na |){natanong}
{start.nth_ng} {sinabi}
{start.nth} (ko na|kong|ko) {t}
{start.nth} (mo na|mong|mo) {s}
({start1=first}|{start1=1st}|{start1=unang}) {t} ko
{start.nth_ng} {ts} (sa|ng|in|from) {convo}
{t} {num} {start.card}
{t} #{start.digit}
{s} {num} {start.digit} mo
{num} {start.digit}
#{start.digit}
{start.nth}
{start.nth} (one|na lang)
q{start.digit}
{t} ko na {start.nth}
{s} mo (sa|for|to|dun sa) {start.nth_ng} (question|tanong|question ko|tanong ko|msg ko)
{s} mo (sa|dun sa) {start.nth}
(answer|sagot) (to|sa) (question|number|#) {start.digit}
{start.nth} (at|and|saka|tsaka|&) {start.nth}
{start.nth} (at|and|saka|tsaka) {start.nth_ng} (question ko|sagot mo|tanong ko|answer mo|question|reply)
(questions|tanong|sagot|answers|numbers|results|no.) {start.digit} (at|and|saka|&) {start.digit}
(questions|answers|numbers|#) {start.digit}, {start.digit} (at|and|tsaka) {start.digit}
first {head.card} (questions|tanong|answers|sagot|na tanong|na questions) (ko|mo|natin|)
unang {head.card_ng} (questions|tanong|answers|sagot) (ko|mo|natin|)
last {tail.card} (questions|tanong|answers|sagot|na tanong|na sagot|messages) (ko|mo|natin|)
huling {tail.card_ng} (questions|tanong|answers|sagot|messages) (ko|mo|natin|)
(questions|answers|no.|number) {from.digit} (to|hanggang|-|until) {to.digit}
<end=1>last (question|tanong|na tanong|msg|query|na question) ko
<end=1>last (answer|sagot|reply|na sagot|na sinabi|response) mo
<end=1>(latest|most recent|final|pinaka last|very last) (na |) (question ko|tanong ko|answer mo|reply mo|msg ko|sagot mo)
<end=1>huling (question ko|tanong ko|sagot mo|reply mo|answer mo|sinabi mo|inask ko|tinanong ko|chat ko)
<end=1>huli (kong|ko na) (question|tanong|inask|chat|tinanong)
<end=1>huli (mong|mo na) (sinabi|reply|answer|sagot)
<end=1>(last|huli|pinakahuli|last one|pinaka huli)
<end=1>last na {natanong}
{end.nth} (to the last|to last|sa huli|from the last|mula sa huli|sa dulo|from the end|from the bottom) (na tanong ko|na sagot mo|na question|question ko|)
{end.nth_ng} (tanong|question|sagot) (mula sa|from|galing sa|sa) (huli|dulo|baba|last)
{end2=second} (to the last|last) (na tanong ko|na question|question ko|na sagot mo|)
<end=1>{start1.nth} (at|and|tsaka) (last|huli|last na question|huling tanong ko|last na sagot mo)
<end=1>{start.nth} (at|and|saka) (last|huli)
({start1=pinakauna}|{start1=pinaka una}|very {start1=first}|pinaka {start1=first}|<start=1>original) (kong |na |) (tanong|question|inask ko|tanong ko|question ko|msg ko)
({start1=pinakaunang}|{start1=kauna-unahang}|very {start1=first}) (question ko|tanong ko|sagot mo|reply mo|inask ko)
(first|una|last|huli|second|2nd)(, ay mali|, ay hindi|... wait|, mali pala|, no wait|, sorry), (yung |) {start.nth} pala
{start.nth_ng} (tanong|question|msg) (from the top|from the start|mula sa taas|simula sa umpisa)
{start.nth} (from|mula sa|galing sa) (taas|top|start|umpisa)
{start.nth} sa mga (tanong ko|questions ko|inask ko|sagot mo|sinabi mo|sinend ko)
{start.nth} sa list ng (questions|tanong) ko
item {start.digit} sa {convo}
(sagot|answer|reply) mo (nung|noong) {start.nth_ng} (question|tanong) ko
{start.nth_ng} (request|concern|inquiry|hiningi) ko
{start.nth} sa lahat ng (inask|tinanong|questions) ko
previous {tail.card} (questions|na tanong|answers|na sagot) (ko|mo|natin|)
(question|tanong|sagot) {start.digit}
{start.nth_ng} (tanong|question) ko (sayo|kanina|dito)
{start.nth_ng} (sagot|reply) mo (sakin|kanina|dito)
<one_of=1>(isa|one|alinman|kahit alin) (sa|dun sa|of) (unang|first) {head.card} (questions ko|na tanong ko|sagot mo|answers mo|tanong)
<one_of=1>(isa|one) (sa|dun sa) (last|huling) {tail.card} (questions ko|na tanong ko|na sagot mo|replies mo|tanong)
<one_of=1>{start.nth} (yata |ata |)(o|or) (baka |maybe |yung |){start.nth}
<one_of=1>{start.nth} (o|or) {start.nth_ng} (question ko|tanong ko|sagot mo|answer mo|msg)
<one_of=1>(number|question|no.|tanong) {start.digit} (o|or) {start.digit}
<one_of=1>(either|alin man sa) {start.nth} (o|or) {start.nth}
<one_of=1><start=1><start=2><start=3>isa (dun |) sa mga (nauna|una|first few) (kong tinanong|kong inask|na questions ko|mong sagot)
<one_of=1><end=1><end=2><end=3>isa (dun |) sa mga (huli|latest|last few) (kong tinanong|na questions ko|mong sagot)
<end=1>(panghuli|pang huli|panghuling tanong ko|panghuling sagot mo|pinaka dulo|nasa dulo|nasa hulihan|sa dulo|nasa pinaka baba)
<end=1>(hulihang|pinakadulong|latest na|newest na) (tanong ko|sagot mo|question ko|answer mo)
""")

ORDINAL_SENTENCES = lines("""
ano {ba} (yung|ung|ang) {start.nth_ng} (inask|tinanong|na-ask|natanong|question) ko (sayo|kanina|dito|)?
ano {ba} (yung|ang|) ({start1=una}|{start1=first}|{start1=pinakauna}|{start1=1st}) (kong|ko na) (tinanong|inask|tanong|question|sinabi) (sayo|dito|)?
ano {ba} (yung|ang|) (sagot|answer|reply|sinabi) mo (sa|dun sa|for) {start.nth_ng} (question|tanong|question ko|tanong ko)?
ano {ba} (yung|ang|) (sagot|answer|reply) mo sa (number|no.|#|question) {start.digit}?
what did I ask ({start1=first}|{start1=una}) (nga|ulit|po|sayo|)?
<end=1>ano {ba} (yung|ang|) (last|huli) (kong|ko na|na) (tinanong|inask|tanong|question|sinabi|chat) (ko|)?
<end=1>ano {ba} (yung|ang|) (last|huli) (mong|mo na|na) (sinabi|sagot|reply|answer) (mo|)?
{start.nth_ng} (question|tanong|sagot|answer) {pls}
(yung |ung |) {start.nth} {pls}, {doulit}
(balik|go back|punta|back) (tayo |ka |) sa {start.nth} {pls}
(pagsamahin|i-combine|i-merge|i-compare|combine mo|compare mo) (mo |) (yung |) {start.nth} (at|and|tsaka|saka) {start.nth_ng} (sagot|answer|reply) (mo|)
{dosum} (yung |ung |) (first|unang) {head.card} (questions|na tanong|answers|na sagot) (ko|mo|)
{dosum} (yung |ung |) (last|huling) {tail.card} (questions|na tanong|answers|na sagot|messages) (ko|mo|natin|)
(hindi|di|not) (yung |) (una|first|last|huli|second), (yung |ung |) {start.nth}
(dami|ang dami|andami) ko (nang |na |) (tinanong|inask|questions), (sagutin|i-answer|balikan|ulitin) mo (yung |) {start.nth}
sa lahat ng (questions|tanong|inask) ko, (yung |ung |) {start.nth} (yung|ang) (need|gusto|importante|tinutukoy) (ko|)
(count|bilangin|if bibilangin) (mo |) from (the start|taas|umpisa), (yung |) {start.nth}, {cont}
(count|bilangin) (mo |) from (the end|dulo|baba), (yung |) {end.nth}, {cont}
{start.digit} (at|and|tsaka) {start.digit} lang (pls|po|ulitin mo|i-explain mo)
(yung |ung |) number {start.card} (lang|po|naman|nga) {pls}
(sagutin|answer|i-answer) (mo |) (muna |) (yung |ung |) {start.nth} bago yung iba
nag-ask ako (ng marami|kanina|ng ilang questions), (yung |ung |) {start.nth} (yung di ko gets|ulitin mo|pa-explain|{cont})
ano-ano {ba} (yung|ang) (last|huling) {tail.card} (questions|na tanong|inask) ko?
(uulitin|i-ulit|ire-repeat) ko lang (yung |) {start.nth_ng} (question|tanong) ko
(lods|bes|sis|bro|boss), (yung |ung |) {start.nth} (nga|ulit|daw|pls|po)
<one_of=1>(isa|isa ata) dun sa (unang|first) {head.card} (tanong ko|questions ko|sagot mo)(, di ko na maalala alin|, di ko sure alin|), {cont}
<one_of=1>{start.nth} (yata |ata |)(o|or) {start.nth}(, di ako sure|, isa dun|, isa sa dalawa|), {cont}
<one_of=1>(baka|parang|i think) (sa |yung |){start.nth} (o|or) (sa |yung |){start.nth}, {cont}
<end=1>(yung|ung|sa) (panghuli|nasa dulo|pinaka dulo|nasa hulihan), {cont}
<end=1>(panghuli|pang huli|pinakadulo), {cont}
""")

RELATIVE = lines("""
{ago.card} (questions|messages|turns|msgs|answers|replies) ago
{ago.card} (questions|messages|tanong|turns) (back|pabalik|paatras|pataas|ang nakalipas)
(question|tanong|inask|tinanong|chat) ko (mga |) {ago.card} (questions|messages|tanong|turns|chats) (ago|back|pabalik|ang nakalipas|ang nakaraan)
(sagot|answer|sinabi|reply) mo (mga |) {ago.card} (questions|messages|tanong|turns|replies) (ago|back|pabalik|ang nakalipas|ang nakaraan)
(na |) {ago.card_ng} tanong (pabalik|paatras|ang nakalipas|na ang nakaraan|ago)
<ago=1>(previous|prev|nakaraang|naunang|prior) (na |) (question ko|tanong ko|sagot mo|answer mo|reply mo|msg ko|question|answer|one|topic)
<ago=1>previous {t} ko
<ago=1>previous {s} mo
<ago=1>(bago nito|bago to|before nito|before this|bago ito)
<ago=1>(question|tanong|sagot|answer|msg) (ko |mo |) (bago|before) (nito|to|ito|this one)
<ago=1>(nasa taas|nasa taas nito|sa taas lang|above|nasa itaas|katabi sa taas)
<ago=1>(question|msg|sagot|reply) (ko |mo |) (sa taas|above|right above|sa itaas)
<ago=1>(one|isang) (question|tanong|msg) (ago|back|pabalik)
<ago=2>(bago yung last|before the last one|bago yung huli|before the last|bago sa last|before last)
<ago=2>(question ko|tanong ko|sagot mo|answer mo|question|msg) (bago|before) (yung last|yung huli|the last one|yung last question|yung previous|sa last)
<ago=2>(bago pa|before|bago) (yun|nun|niyan|nyan|that|that one)
<ago=2>hindi yung last, yung bago (dun|nun|pa dun)
<offset=-1>(question ko|tanong ko|sagot mo|inask ko|) (bago|before|right before|just before) (yung |ung |the |) {topic.bare} (question|na tanong|one|topic|part)
<offset=-1>(question ko|tanong ko|sagot mo|inask ko|sinabi mo|) (bago|before|right before) (yung |) (about|tungkol|about dun) sa {topic.np}
<offset=1>(question ko|tanong ko|sagot mo|inask ko|) (after|right after|pagkatapos ng|after nung) (yung |ung |the |) {topic.bare} (question|na tanong|one|topic|part)
<offset=1>(question ko|tanong ko|sagot mo|inask ko|sinabi mo|) (after|right after|pagkatapos|after nung) (yung |) (about|tungkol) sa {topic.np}
<offset=1>(sunod|kasunod|next|sumunod) (na tanong |na question |kong tanong |) (sa|nung|after ng|after sa) (tanong ko about sa|question ko sa|about sa|usapan natin sa) {topic.np}
<offset=-1>(nauna|sinundan|before) (na tanong |) (sa|nung) (tanong ko about sa|question about sa|about sa) {topic.np}
<offset=-1>(tinanong ko|inask ko|pinag-usapan natin|sinabi mo) (bago|before) (natin pag-usapan|tayo mapunta sa|ko i-ask|natin i-discuss) (yung |) {topic.np}
<offset=1>(tinanong ko|inask ko|pinag-usapan natin|sinabi mo) (after|pagkatapos) (natin pag-usapan|ko i-ask|natin i-discuss) (yung |) {topic.np}
{before.card} (questions|tanong) (before|bago) (yung |) (about sa|tungkol sa) {topic.np}
{after.card} (questions|tanong) (after|pagkatapos ng) (yung |) (about sa|tungkol sa) {topic.np}
<offset=1>(sunod|kasunod|next|sumunod|after) (na tanong |na question |) (sa|nung|ng) {start.nth} (question|na tanong|)
<offset=1>(question|tanong|sagot) (after|right after|pagkatapos) (ng|nung|) {start.nth}
<offset=-1>(question|tanong|sagot|msg|) (before|right before|bago) (yung|ung|ang|) {start.nth} (question|na tanong|)
<ago=1>(nauna|nauna dito|sinundan nito|previous|prev)
<ago=1>(tanong|question|sagot|reply) na nauna (dito|sa to|)
<ago=2>(tanong|sagot) na nauna sa last
mga {ago.card} (chats|messages|tanong|questions) (na nakalipas|pataas|sa taas|ago)
<one_of=1>(mga |){ago.card} (o|or) {ago.card} (questions|tanong|messages) (ago|back|pabalik|ang nakalipas)
""")

RELATIVE_SENTENCES = lines("""
ano {ba} (yung|ang|) (inask|tinanong|sinabi|chat) ko {ago.card} (questions|messages|tanong|turns) (ago|back|pabalik|ang nakalipas)?
ano {ba} (yung|ang|) (sinabi|sagot|answer|reply) mo {ago.card} (questions|messages|tanong|turns|replies) (ago|back|pabalik)?
what did I ask {ago.card} (questions|messages|turns) ago (nga|ulit|po|)?
(balik|go back|back|atras|scroll up|rewind) (ka |tayo |ka nga |) (ng |) {ago.card} (questions|messages|tanong|turns|steps) {pls}
(balik|atras|back) (tayo |ka |) ng {ago.card} (pa|nga|pls|)
<ago=1>(balik|go back|back|atras) (tayo |ka |) (ng |sa |) (isa|one step|isang tanong|previous|nauna)
<ago=1>ano {ba} (yung|ang|) (previous|nauna|prev|nakaraan) (kong |ko na |na |) (tanong|question|inask) (ko|)?
<ago=1>ano {ba} (yung|ang|) (inask|tinanong|sinabi) (ko|mo) (bago|before) (nito|to|this)?
<ago=1>(previous|prev) (question|answer|sagot|msg) (nga|pls|po|ulit)
<ago=2>ano {ba} (yung|ang|) (inask|tinanong) ko (bago|before) (yun|nun|that|yung last|yung huli)?
<ago=2>(eh |and |tas |) (yung |ung |) (bago|before) (yun|nun|niyan|that|dun)?
<offset=-1>ano {ba} (yung|ang|) (inask ko|tinanong ko|pinag-uusapan natin|topic natin) (bago|before) (yung |) (about sa|sa|tungkol sa|) {topic.np}?
<offset=1>ano {ba} (yung|ang|) (inask ko|tinanong ko|sinabi mo|topic natin) (after|pagkatapos) (ng|nung|yung) (about sa |) {topic.np}?
<offset=1>(after|pagkatapos) (ng|nung|natin sa) {topic.np}, ano {ba} (yung|ang) (sunod kong tanong|next na question ko|inask ko|sinabi mo)?
<offset=-1>bago (tayo mapunta sa|yung|tayo nag-usap about sa) {topic.np}, ano {ba} (yung|ang) (topic|inask ko|pinag-usapan natin)?
<offset=1>ano {ba} (yung|) (inask|tinanong|question) ko (after|right after|pagkatapos) (ng|nung) {start.nth}?
<offset=-1>ano {ba} (yung|) (inask|tinanong|question) ko (before|right before|bago) (yung|ung) {start.nth}?
may (sinabi|na-mention|binigay|sinend) ka {ago.card} (messages|questions|replies|turns) (ago|back), {cont}
{ago.card} (questions|messages|tanong) (ago|back|pabalik), {cont}
(skip|wag) (yung |) last, (yung |) (bago|before) (dun|nun|that)<ago=2> (nga|pls|po|)
""")

TEMPORAL = lines("""
<time=just_now>(kakasabi|kasasabi|kakasagot|kasasagot|kaka-explain|kakaexplain|kakasend|kaka-reply|kakareply|kakabigay|kaka-mention|kasesend) mo lang (po|ngayon|)
<time=just_now>(kakatanong|katatanong|kaka-ask|kakasabi|kakasend|kakachat) ko lang (po|ngayon|sayo|)
<time=just_now>(sinabi|sagot|reply|answer|inexplain|sinend|binigay|explanation) mo (just now|ngayon lang|kani-kanina lang|kanikanina lang|a moment ago|a second ago|ngayon ngayon lang)
<time=just_now>(tinanong|inask|sinabi|sinend|question|tanong) ko (just now|ngayon lang|kani-kanina lang|a moment ago|ngayon ngayon lang)
<time=just_now>(just now|kani-kanina lang|kanikanina|ngayon lang|ngayon-ngayon lang)
<time=just_now>(kakapag-usapan lang natin|kaka-discuss lang natin|pinag-usapan natin just now)
<time=earlier>(sinabi|sagot|na-mention|minention|inexplain|sinend|binigay|nireply|answer|reply|advice|sinuggest) mo (kanina|earlier|dati|nung nakaraan|a while ago|kanina pa|kanina po|before)
<time=earlier>(tinanong|inask|na-ask|natanong|sinabi|sinend|tanong|question|nabanggit) ko (kanina|earlier|dati|nung nakaraan|a while ago|kanina pa|before)
<time=earlier>(kanina|earlier|kanina pa|from earlier|dati|a while ago|mga kanina)
<time=earlier>(topic|usapan|convo|pinag-usapan|na-discuss|discussion) natin (kanina|earlier|dati|a while ago|nung nakaraan)
<time=earlier>(isa|isa pa) sa mga (sinabi mo|inask ko|sagot mo|questions ko) (kanina|earlier)
<time=earlier>earlier na (sagot mo|tanong ko|question ko|topic natin|answer|convo)
<time=earlier>kaninang (sagot|tanong|topic|question|convo|reply)
<time=opening>(tinanong|inask|sinabi|question|sinend) ko (nung una|sa umpisa|nung start|sa simula|nung nag-start tayo|nung nag-start yung {convo}|pagka-open ko ng chat|at the start|sa beginning|nung umpisa ng {convo}|nung kaka-start pa lang natin)
<time=opening>(sinabi|sagot|reply|answer) mo (sa umpisa|nung start|sa simula|nung nag-start tayo|at the start|sa beginning|nung umpisa ng {convo})
<time=opening>(start|simula|umpisa|beginning|pinagsimulan|pinaka-start) ng {convo}
<time=opening>(pinag-usapan|topic|na-discuss) natin (sa umpisa|nung start|sa simula|nung nag-start tayo|sa beginning)
<time=opening>opening (question|msg|na tanong) ko
<time=opening>(inumpisahan|sinimulan|pinag-startan) natin
<time=earlier>(sinabi mo|inask ko|pinag-usapan natin|sinend mo) (kaninang umaga|kahapon|this morning|bago ako mag-lunch|before ako umalis|nung isang araw|last time|nung last na usap natin|yesterday)
<time=earlier>(napag-usapan|pinag-usapan|na-discuss|topic) natin
<time=earlier>(thing|bagay) na (pinag-usapan natin|sinabi mo dati|inask ko dati)
<time=opening>(ipinunta|pinunta|pakay|original na tanong) ko dito (talaga|nung una|sa umpisa)
""")

TEMPORAL_SENTENCES = lines("""
<time=just_now>ano {ba} (yung|ang|) (kakasabi|kasasabi|kakasagot|kakasend) mo lang?
<time=just_now>ano {ba} (yung|ang|) (sinabi|sagot|reply) mo (just now|ngayon lang|kani-kanina lang)?
<time=just_now>(wait|teka|ha|huh|ano daw), (what did you just say|ano yung kakasabi mo lang|ano sinabi mo ngayon lang)?
<time=just_now>what did you just (say|send|mean) (po|ulit|nga|lods|)?
<time=just_now>(kakasabi|kasasabi) mo lang na (pwede|bawal|free|hindi pwede|okay lang|may bayad), (diba|bakit iba na|ano ba talaga|eh bat ganun)?
<time=just_now>(di|hindi) ko (na-gets|gets|nabasa|na-catch|naintindihan) (yung|ung) (kakasabi|kakasagot|kakasend|kaka-explain) mo lang
<time=just_now>you just (said|told me|mentioned) something (eh|e|diba), {cont}
<time=just_now>(just now|kani-kanina lang|ngayon lang) may (sinabi|na-mention|binigay) kang (number|amount|step|name|link), {cont}
<time=earlier>ano {ba} (yung|ang|) (sinabi|sagot|na-mention|minention) mo (kanina|earlier|a while ago|dati)?
<time=earlier>ano {ba} (yung|ang|) (tinanong|inask|tinatanong|question) ko (kanina|earlier|a while ago)?
<time=earlier>ano {ba} (yung|ang|) (pinag-uusapan|pinag-usapan|topic|na-discuss) natin (kanina|earlier|a while ago)?
<time=earlier>(balik|back|go back|bumalik) (tayo |po tayo |) (sa|dun sa) (kanina|sinabi mo kanina|usapan natin kanina|tanong ko kanina|topic natin earlier|convo natin kanina|earlier)
<time=earlier>may (sinabi|na-mention|binigay|sinend|sinuggest) ka (kanina|earlier|kanina pa|a while ago|dati), {cont}
<time=earlier>may (inask|tinanong|question) ako (kanina|earlier|sayo kanina|a while ago), (ano nga yun|ano ulit sagot mo|naaalala mo ba|balikan natin|di mo pa nasasagot)
<time=earlier>nag-ask ako (kanina|earlier|sayo kanina), (ano nga yun|ano ulit answer mo|balikan natin)
<time=earlier>(gaya|tulad|like|as) (ng|) (sinabi|sabi|na-mention|tanong) (mo|ko) (kanina|earlier), {cont}
<time=earlier>(kanina|earlier|a while ago) (may sinabi ka|sabi mo|may na-mention ka|you said something), {cont}
<time=earlier>(sinabi|sinagot|na-explain) mo na (to|yan|yun) (kanina|earlier)(, diba|, pa-repeat|, ano nga ulit)?
<time=earlier>(hindi|di) (ganyan|yan|ganun) (yung |ang |) sinabi mo (kanina|earlier|dati)
<time=earlier>(natanong|na-ask|na-discuss) ko na (ba |ata |) (to|yan) (kanina|earlier|dati)(, diba|)?
<time=earlier>(ituloy|i-continue|continue) (na |) natin (yung |) (usapan kanina|convo natin kanina|naiwan natin|where we left off|kanina)
<time=earlier>{why2} (yung |) (sinabi|sagot|sinend) mo (kanina|earlier)
<time=opening>(paano|pano|san|saan) (nga |ba |) (nag-start|nagsimula|nag-umpisa) (yung |ang |tong |) (convo natin|usapan natin|chat na to|convo)?
<time=opening>ano {ba} (yung|ang|) (inask|tinanong|sinabi|pakay|hinahanap) ko (nung nag-start tayo|sa umpisa|sa simula|pagka-open ko ng chat|at the start|nung start ng convo)?
<time=opening>ano {ba} (yung|ang|) (topic|pinag-usapan|pinag-uusapan) natin (sa umpisa|nung start|nung nag-start tayo|sa beginning|sa simula ng chat)?
<time=opening>(balik|back|go back|bumalik|scroll ka) (tayo |po tayo |) (sa|to the) (umpisa|start|simula|very start|beginning|start ng convo|pinaka-umpisa)
<time=opening>(nung|noong) (nag-start tayo|in-open ko tong chat|kaka-start pa lang natin|bagong open pa lang to), (may inask ako|may sinabi ka|ano inask ko), {cont}
""")

TOPIC = lines("""
(about|tungkol|regarding|about dun|patungkol) sa {topic.np}
about {topic.np}
sa {topic.np} (kanina|earlier|na sinabi mo|)
{topic.bare} (question|answer|thing|part|one|topic|issue|na tanong|na sagot|concern) (ko|mo|kanina|natin|)
(tanong|question|inask|tinanong|na-ask|natanong) ko (kanina |earlier |) (about|tungkol|regarding|about dun|re) (sa |) {topic.np}
(sinabi|sagot|answer|reply|advice|explanation|na-mention|inexplain|payo|tip|tips|suggestion) mo (kanina |earlier |) (about|tungkol|regarding|on|about dun) (sa |) {topic.np}
(na-mention|minention|binanggit|sinabi|nirecommend|sinuggest) (mong|mo na) {topic.np} (kanina|earlier|)
{topic.np} na (sinabi|na-mention|minention|binanggit|nirecommend|sinuggest|sinend|pinag-usapan|binigay) (mo|natin) (kanina|earlier|)
{topic.np} na (inask|tinanong|na-ask|natanong) ko (kanina|earlier|)
(usapan|pinag-usapan|na-discuss|topic|convo) natin (kanina |earlier |) (about|tungkol|on) (sa |) {topic.np}
(part|bahagi|sagot|answer|msg|tanong|tip) (na |) (about|tungkol|regarding) (sa |) {topic.np}
kanina (about|tungkol) sa {topic.np}
kanina sa {topic.np}
kaninang (tanong|question|sagot|usapan) (about|sa|tungkol sa) {topic.np}
(about|tungkol) sa {topic.gerund}
(sinabi mo|tanong ko|steps|tips mo|advice mo) (sa|about|about sa) {topic.gerund}
{topic.gerund} na (sinabi|inexplain|na-mention) mo
sinabi mo (kanina |) na {topic.clause}
(part|time|moment) na sinabi mo(ng| na) {topic.clause}
(answer|msg|reply) (mo |) na (may|naka-mention|nag-mention) (ng |) {topic.np}
that {topic.bare} (thing|part|question) (kanina|earlier|mo|natin|)
first time ko nag-ask about {topic.np}
last na sinabi mo about {topic.np}
""")

TOPIC_SENTENCES = lines("""
ano {ba} (yung|ang|) (sinabi|sagot|answer|advice|na-mention|recommendation|tip) mo (kanina |earlier |) (about|tungkol|regarding|on) (sa |) {topic.np} (kanina|ulit|)?
anong (sabi|sagot|advice|sinabi|take|recommend) mo (kanina |nga |ulit |)(about|tungkol sa|dun sa|sa|about dun sa) {topic.np} (kanina|ulit|)?
what did you say about {topic.np} (kanina|ulit|nga|po|earlier|)?
ano {ba} (yung|ang|) (napag-usapan|pinag-usapan|na-decide|na-discuss|napagkasunduan) natin (about|tungkol|sa) (sa |) {topic.np}?
ano {ba} (yung|ang|) (inask|tinanong) ko (kanina |) (about|tungkol sa) {topic.np}?
(balik|back|go back|balik muna|balik nga|bumalik|balik po) (tayo |) (sa|dun sa|to) {topic.np} (kanina|na sinabi mo|na na-mention mo|thing|part|)
(balik|back|go back) (tayo |) (sa|dun sa) (tanong|question) ko (about|sa|tungkol sa) {topic.np}
(balikan|revisit|balikan nga|i-revisit) natin (yung |) {topic.np} (kanina|na sinabi mo|na pinag-usapan natin|topic|)
(remind mo|paki-remind|i-remind mo|remind me) (nga |) (ako |) (kung |) (ano |what |) (sinabi mo|napag-usapan natin|advice mo|we discussed) about {topic.np}
may (sinabi|na-mention|minention|inexplain|sinuggest|sinend) ka (kanina |earlier |) (about|tungkol sa|na) {topic.np}, {cont}
(na-mention|minention|nabanggit|sinabi) mo (kanina |earlier |) (yung |) {topic.np}, {cont}
(kanina|earlier) (na-mention mo|pinag-usapan natin|inask ko|sinabi mo) (yung |about |about sa |) {topic.np}, {cont}
(diba|di ba) (may sinabi ka|na-mention mo|sabi mo|sinabi mo) (kanina |) (about|yung about) (sa |) {topic.np}?
(diba|di ba) (inask|tinanong|natanong|na-ask) ko (na |) (kanina |) (yung |) (about |) {topic.np}?
(nung|noong|when) (inask|tinanong) ko (yung |) (about |) {topic.np}, ano {ba} (yung |) (sagot|sinabi|answer) mo?
(sinabi|sabi) mo (kanina |) (na |) {topic.clause}(, diba|, legit ba|, sure ka|, bakit|, san galing yun|, eh bakit ganun)?
you said (kanina |earlier |) {topic.clause}(, diba|, right|, pero bakit|, sure ba yun)?
bakit mo (sinabi|nasabi) na {topic.clause}?
(ano|anong) ibig mong sabihin (sa|nung sinabi mong|when you said) {topic.clause}?
{doulit} (yung |ung |) (sinabi mo |sagot mo |part |) (about|sa|tungkol sa) {topic.np} {pls}
{doulit} (yung |ung |) (about |steps sa |tips mo sa ) {topic.gerund} {pls}
{doexp} (yung |ung |) (sinabi mo |sagot mo |part mo |) (about|sa|tungkol sa) {topic.np} (kanina|)
(yung|ung|'yung) (sa|about sa|tungkol sa|about) {topic.np} (ulit|nga|po|kanina|nga ulit|pls|again)
(yung|ung) {topic.bare} (na |) (kanina|earlier|thing|question ko|na tanong ko) (ulit|nga|pls|po|)
{topic.keyword} (ulit|nga ulit|kamo|again)? (nakalimutan ko|yung sinabi mo|yung kanina|di ko na-save)
{topic.keyword}?? (may sinabi ka kanina|na-mention mo yun|diba sinabi mo) (eh|kanina|)
(about|tungkol|regarding) (dun |) sa {topic.np} (kanina|na inask ko|na sinabi mo|earlier), {cont}
(nasaan|asan|san) na {ba} (yung |) (sagot mo|sinabi mo|part|reply mo) (about|sa|tungkol sa) {topic.np}?
{why2} (yung |) (sinabi|sagot|advice|sinend) mo (about|sa|tungkol sa) {topic.np}
(hanapin|i-search|paki-hanap|ipakita|pull up) mo (nga |) (yung |) (usapan natin|sagot mo|question ko|convo natin) (about|sa|tungkol sa) {topic.np}
(alin|ano|which) {ba} (yung |) {topic.keyword} na (sinabi|na-mention|nirecommend|tinutukoy) mo (kanina|earlier|)?
(yung|ung) {topic.np} (diba|di ba|ba) (sabi mo|sinabi mo) (may|pwede|bawal|kailangan) (bayad|pa|yun|ng ID)?
(ang tinutukoy|ibig kong sabihin|yung tinutukoy|i mean) (ko |) (ay |is |) (yung |) (about sa|sa|tungkol sa) {topic.np}
(thanks|salamat|ok|okay|sige), (eh |so |) (yung |) (about sa|sa|tungkol sa) {topic.np} (kanina|earlier), {cont}
(ituloy|i-continue|continue) natin (yung |) (usapan|convo|topic) (natin |)(about|sa|tungkol sa) {topic.np}
(gamitin|sundin|i-follow) mo (yung |) (format|steps|style|table) (mo |na ginamit mo |) (sa|dun sa) {topic.bare} (answer|na sagot|question|)
what was (it|that) about {topic.np} (nga|ulit|kanina|na sinabi mo)?
btw (yung|ung) (sa|about sa) {topic.np} (kanina|na sinabi mo), {cont}
(magkano|ilan|kelan|san|saan|sino|alin|gano katagal|anong oras|how much) nga (ulit|po ulit|uli) (yung |ung |ang |) {topic.np} (na sinabi mo|na na-mention mo|kanina|)?
(magkano|ilan|kelan|san|how much|anong araw) (ulit |nga |po |) (kamo |) (yung |) {topic.np} na (sinabi|na-mention|minention|nabanggit|binigay) mo (kanina|earlier|)?
(akala ko|kala ko|diba) (sabi|sinabi) mo {topic.clause}?
(as per|based sa|according sa) (sagot|sinabi|sabi) mo, {topic.clause}, {cont}
(nirecommend|sinuggest|inadvise) mo (kanina |earlier |) (yung |) {topic.np}, {cont}
(di pa tapos|di natin natapos|naputol|bitin) (yung |) (usapan natin |sinasabi mo |explanation mo |)(about|sa|tungkol sa) {topic.np}
(dun|doon|don) sa {topic.np} (na sinabi mo|kanina|na inask ko|earlier), {cont}
(yun|yung|ung) bang {topic.keyword} (kanina|na sinabi mo|na inask ko), {cont}
(about|tungkol) (pa rin |ulit |) sa {topic.np} (ulit|kanina|na pinag-usapan natin), {cont}
may (idadagdag|update|add) ka ba (sa|dun sa) sinabi mo about {topic.np}?
(yung|ung) {topic.keyword} (mo |) na (advice|tip|suggestion|sagot|reco) (mo |) (kanina|ulit|nga|pls)
(yung|ung) {topic.keyword} ko na (tanong|question|concern|problem) (kanina|ulit|nga|)
""")

FRESH_OPENERS = lines("""
last question na po,
last na to promise,
last question na lang,
first question ko:
first of all,
una,
second question:
next question,
2nd question ko,
isa pang question,
new topic,
iba naman,
unrelated pero
off topic,
bago ko makalimutan,
before i forget,
huling tanong na,
may dalawa akong tanong. una,
last na tanong,
next naman,
question number 2:
question #1:
lastly,
change topic tayo,
""")

OPENERS = lines("""
kakauwi ko lang.
kakagising ko lang hehe.
naghihintay na client ko.
nawalan ako ng signal kanina.
nag-lunch muna ako.
na-disconnect ako earlier.
nabasa ko na lahat.
bumalik na boss ko.
nasa jeep ako ngayon.
ang galing mo lods.
tinanong muna ako ng jowa ko.
hi po,
hello,
hello po,
hey,
uy,
oy,
hoy
teka lang,
wait lang,
wait,
ay wait,
lods,
bes,
sis,
bro,
boss,
idol,
mamsh,
pre,
ate,
kuya,
sir,
ma'am,
bhie,
beshie
ok so
okay,
sige,
ok sige,
thanks!
salamat!
ay,
naku,
hala,
omg
haha
lol
sorry,
sorry po,
pasensya na,
btw,
actually,
question lang,
tanong lang po,
ask ko lang,
ask lang po,
pa-help naman,
isa pa pala,
isa pa,
oo nga pala,
tapos,
so ayun,
good morning po,
good eve,
ano ba yan
hmm
kasi ganito,
""")

CLOSERS = lines("""
pls
please
po
thanks
salamat
ty
ty po
tnx
lods
bes
sis
bro
boss
ha
nga
haha
hahaha
hehe
lol
🙏
😅
😊
🥺
😭
🤔
😂
huhu
asap
...
!!
, thanks in advance
, urgent lang
, curious lang
, sorry makulit
, need ko lang talaga
, nagmamadali ako eh
kung pwede
if ok lang
""")

GRAMMAR = Grammar(
    lang="taglish",
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

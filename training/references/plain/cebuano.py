"""Cebuano plain mentions."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

RULES = rules("""
padayon = pila tanan / libre ba / asa makita / naa bay mas barato / pwede ba online / unsa pay kinahanglan / ngano man / kinsa akong duolon / dugay ba / unsaon pagsugod / sakto ba na / pwede ba mubo lang
q5 = unsa / pila / kanus-a / asa / kinsa / giunsa / ngano
""")

SURE = lines("""
{q5} (man |gani |to |) (to |tong |kadtong |ang ) {topic.np} (usab|balik|gani|)?
(kadtong|katong|tong) {topic.np} (ganina|gani|usab|balik|na imong gihatag)(, {padayon}|)
(balik|mobalik) (ta|ko) (sa|didto sa) {topic.np}
(nakalimot|nalimot) ko (sa|kung unsa tong|adtong) {topic.np}
(pahinumdomi|pahinumdumi) ko (bahin sa|sa) {topic.np}
unsa (na |) (to |) (ang |) (tubag|presyo|pangalan|rason) (sa|bahin sa) {topic.np} (usab|gani|)?
""")

OPEN = lines("""
(kadtong|katong|ang) {topic.np}, {padayon}?
bahin sa {topic.np}, {padayon}?
sa {topic.np}, {padayon}?
{topic.np}?
""")

ORDINAL = lines("""
(ang|kadtong) {start.nth_ng} (pangutana|tubag) (nako|nimo|) (usab|gani|)
<end=1>(ang|kadtong) (katapusan|pinakaulahi|ulahi) (nga tubag|nga pangutana|) (nimo|nako|) (usab|)
""")

RELATIVE = lines("""
<offset=-1>unsay (una|nag-una) (sa|ayha sa) {topic.np}?
<offset=1>unsay (sunod|misunod) (sa|human sa) {topic.np}?
""")

TEMPORAL = lines("""
<time=earlier>(kadtong|katong|tong) (ganina|ganiha|kaniadto) (usab|gani|)
<time=just_now>(kadtong|ang) bag-o (lang|pa lang) nimong (gisulti|gitubag)
""")

NEGATIVES = lines("""
(nawala|nalimtan) nako (ang|akong) (pitaka|yawe|password), unsay buhaton?
(ang|akong) (anak|iro|boss) (dili mokaon|may hilanat|sige kasuko), unsay maayo?
""")

"""English: how people point back at a turn of the conversation."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.english_fresh import FOLLOWUP_OBJECTS, FOLLOWUPS, FRESH_OBJECTS, NEGATIVES, VOCABULARY
from training.references.grammar.language import Grammar

RULES = (
    rules("""
q = question / question / question / query / prompt / message / inquiry / request / ask
qs = questions / questions / queries / messages / prompts / things I asked
a = answer / answer / reply / response / explanation / message
as = answers / answers / replies / responses
qa = question / answer / message / reply / response / query / one / one / thing / exchange / topic
qas = questions / answers / messages / replies / ones / things / exchanges / responses
iasked = I asked / I asked / I asked you / I sent / I typed / I brought up / I wanted to know / I asked about / we talked about / I messaged you / I put to you
yousaid = you said / you told me / you answered / you gave me / you gave / you wrote / you replied / you sent / you explained / you came up with
ask2 = ask / ask you / type / send / bring up / want to know
say2 = say / tell me / answer / reply / write / give me
chat = chat / conversation / thread / session / talk / discussion / convo
please = please / pls / _ / _ / _
canyou = can you / could you / would you / can u / will you / please / pls / kindly / I need you to / I'd like you to / I want you to / can you please / could you please / _ / _ / _
numberword = number / number / no. / # / num / nr
lang2 = Tagalog / English / Filipino / Cebuano / Spanish / Japanese / simple English / Ilocano / plain language / Taglish / Korean / French
format = a CSV / a PDF / a table / bullet points / an email / a Word file / a checklist / a spreadsheet / JSON / a text message / a slide / markdown / an image / a script / a note
where2 = my boss / my wife / my team / the group chat / my email / Slack / my notes / our manager / a client / my professor / my mom / Viber
why2 = I closed the tab / my boss wants it / I forgot to copy it / I wasn't paying attention / it scrolled away / I need it for a report / my phone died / I'm presenting it later / I lost it / my wife is asking / I didn't get it / I only skimmed it / my notes are a mess / my client is waiting / I have to quote it
len2 = shorter / longer / simpler / clearer / more formal / more detailed / friendlier / less technical / more polite / easier to read
part = in one sentence / in detail / step by step / with an example / like I'm five / in two lines / with sources / in simple words / for a beginner / with numbers / with more detail / word for word / again
""")
    | VOCABULARY
)

TASKS = lines("""
{canyou} (explain|clarify|elaborate on|break down|walk me through) {P} (again|{part}|)?
{canyou} (summarize|recap|condense|shorten|sum up|give me a summary of|give me the gist of) {P} (in one sentence|in two lines|in a few words|{part}|for {where2}|)
{canyou} (translate|put|turn) {P} (into|to) {lang2}?
(translate|convert) {P} (into|to) {lang2} {please}
{canyou} (export|save|download|print|copy) {P} (as|into) {format}
{canyou} (send|forward|email|share) {P} (to|with) {where2}
{canyou} (rewrite|rephrase|reword|paraphrase) {P} (so it's {len2}|to be {len2}|in a {len2} way|for {where2}|)
make {P} {len2} {please}
{canyou} (turn|make) {P} into {format}
{canyou} (double check|verify|fact-check|check|proofread|review|validate) {P} {please}?
(give|show|get|find) me {P} {part} {please}
I (still |)(don't|didn't|do not) (understand|get|follow) {P}
I'm (confused|not sure|unsure|lost) (about|on|by) {P}
(draft|write|prepare) {format} (based on|from|out of|using) {P}
what does {P} (mean|actually mean|imply)?
(expand|elaborate) (on|upon) {P} {please}
{canyou} (list|extract|pull out|highlight) the (key|main|important) (points|ideas|numbers|figures|steps) (in|of|from) {P}?
(more details|more info|more information|examples) (on|about|for) {P} {please}
(compare|contrast) {P} with {thing2}
how (sure|certain|confident) are you (about|of) {P}?
is {P} (still |really |)(true|correct|right|accurate|valid|up to date)?
(add|append) {P} to (my notes|the report|the list|my calendar|my to-do list)
(pin|bookmark|star|save|remember) {P} (for later|for me|)
(delete|ignore|disregard|remove|skip) {P} {please}
{canyou} read {P} (out loud|aloud|to me|slowly|)
use {P} (as|for) (the|a) (basis|template|starting point|title|caption)
(why|how come) (is|was) {P} (so (long|short|vague|complicated)|like that|important|wrong)?
any (examples|sources|proof|references) for {P}?
(simplify|explain) {P} for (a kid|my lola|beginners|a 10 year old|my mom|someone new)
I (want|need|would like) {P} (in|as) {format}
(fix|correct|update|revise|redo|edit) {P}, (the (date|price|name|amount|spelling) is wrong|something is off|it's outdated|the total is wrong)
what's (wrong|the problem|the issue) with {P}?
(rate|critique|evaluate) {P} (from 1 to 10|honestly|)
""")

RECALLS = lines("""
(what|which one) was {P} (again|)?
what was {P}, (again|if you remember|I forgot|by the way)?
{canyou} (repeat|restate|say|resend|reshow|show me|pull up|bring up|find|show) {P} (again|once more|one more time|{please}|)
(go|jump|scroll|take me|bring me|let's go|let's get|can we go|can we get) back to {P} {please}
(let's|can we|I want to|I'd like to) (return|go back|circle back|revisit|get back) to {P}
(let's|can we|I'd like to) revisit {P}
(about|regarding|re|as for|on|concerning|with regard to|speaking of|referring to) {P}(,|:) {contq}
{P}(,|:|?) {contq}
{P}
{P} (again|once more|{please}|, thanks)
I (meant|mean|was talking about|was referring to|am talking about|am referring to|was thinking of|want|need) {P}
not (that|this) one, {P}
no, I (mean|meant) {P}
(remind me of|remind me what was|refresh my memory on|refresh my memory about) {P} {please}
do you (remember|recall|still have|still remember|still know) {P}?
(sorry|wait|hold on|hang on|ok so|hmm|actually|oops), {P} (again|{please}|)?
I (forgot|missed|lost|skipped|can't find|can't see|can't recall|don't remember) {P}, (can you repeat it|show it again please|resend|{why2}|what was it)
(answer|continue|finish|redo|try) {P} (again|properly|this time|from where we left off|{please}|)
(I have|I've got|I had|got) a (follow up|follow-up|doubt|question|concern|clarification) (on|about|regarding) {P}
(in|from) {P}, (what did you mean by that|which part matters most|what was the number|was there a price|who was mentioned|where did you get that)?
(is|was) (that|this|it) (the same as|related to|different from|consistent with|in line with) {P}?
(based on|according to|given|following|going by|using) {P}, {contq}
(copy|quote|paste) {P} (here|below|exactly|word for word|verbatim)
(open|show|load|display|give me) {P} {please}
how did you (answer|respond to|reply to|handle) {P}?
what was (your|the) (answer|reply|response|take|conclusion) (to|on|for) {P}?
(what did you|how did you) (say|mean|conclude) in {P}?
let me (see|read|check|hear) {P} (again|one more time|)
I (liked|loved|hated|preferred) {P}(, do more of that|, more like that please|, keep it|)
(that|this|it) (contradicts|doesn't match|conflicts with|is not what you said in) {P}
(thanks|ok|okay|great|nice|cool), (now|and) {P} {please}
(could|can|may) (I|we) (see|have|get|hear) {P} (again|once more|back|)?
(keep|use|apply|stick with|go with|choose|pick) {P}
(what's|what is|whats) {P} (again|) {please}?
{why2}, (so |)(can you|please|could you) (repeat|resend|show me|give me) {P}
{P}, {please} (repeat|resend|explain|expand|summarize|show) (it|that|)
{P} (is|was) (wrong|unclear|what I need|the one I want|what I'm looking for|the one|the important one)
{P} - (can you|could you|pls) (repeat it|expand on that|say more|check that|explain)?
so (what about|going back to|back to) {P}?
(what about|how about) {P}?
""")

CONT = rules("""
contq = can you expand on that / how much was it / is it still true / which one is cheaper / can you add more / what did you mean / I have a doubt / does it apply to me too / what happens next / can you check again / I don't get it / are you sure / what's the source / can we change it / is there another way / that didn't work / it gave me an error / I tried it already / how long does it take / who should I call / where do I start / what should I do first / should I worry / can you redo it / I need more detail / is that all / explain please / why
thing2 = the official one / another option / what the website says / the one from Google / last year's version / my notes / a cheaper alternative / the government rule
""")

ORDINAL = lines("""
the {start.nth} (thing|question|one|topic|item|issue|point) (that |){iasked}
the {start.nth} (thing|answer|one|reply|tip|suggestion|recommendation) (that |){yousaid}
my {start.nth} {q}
your {start.nth} {a}
the {start.nth} {qa}
the {start.nth} {qa} (in|of|from) (this|our|the) {chat}
{q} {numberword} {start.card}
{a} {numberword} {start.card}
the (answer|reply|response) to (my|the) {start.nth} {q}
(what you said|your answer|how you replied|what you told me) (to|on|for) (my|the) {start.nth} (question|one|message)
(question|answer|message|response|result|q|reply) #{start.digit}
#{start.digit}
(number|no.|num) {start.card}
(the one|the question|the answer) (numbered|marked|tagged) {start.digit}
the {start.nth} and (the |){start.nth} {qas}
my {start.nth} and {start.nth} {qs}
(questions|answers|results|messages|numbers|replies) {start.digit} and {start.digit}
(questions|answers|messages|results|numbers) {start.digit}, {start.digit} and {start.digit}
(#|no. |number ){start.digit} and (#|no. |number ){start.digit}
the first {head.card} {qas}
my first {head.card} {qs}
your first {head.card} {as}
the first {head.card} (things|questions|topics) {iasked}
(questions|answers|messages|results) {from.digit} (to|through|thru|-|up to) {to.digit}
the last {tail.card} {qas}
my last {tail.card} {qs}
your last {tail.card} {as}
the last {tail.card} (things|questions|answers) (I asked|you gave|you said|we covered)
(both|all) of (the|my) last {tail.card} {qs}
<end=1>the (very |)last {qa}
<end=1>my (last|latest|final|most recent|very last) {q}
<end=1>your (last|latest|final|most recent|very last) {a}
<end=1>the (last|final|latest|most recent) (thing|question|one|topic) {iasked}
<end=1>the (last|final|latest|most recent) (thing|answer|one|tip) {yousaid}
<end=1>what {iasked} last
<end=1>what (you said|you told me|you wrote) last
the {end.nth} to (the |)last {qa}
my {end.nth} to last {q}
your {end.nth}-to-last {a}
the {end.nth} (from|to) the (end|bottom|last)
<end=2>the (penultimate|next to last|next-to-last|last but one) {qa}
<end=2>my (penultimate|next-to-last) {q}
<end=1>the {start1.nth} and (the |)last {qas}
<end=1>my {start1.nth} and (my |)last {qs}
<end=1>the (opening|{start1.nth}) {qa} and the (final|last) one
<end=1>the {start.nth} {q} and the last one
the {start1.nth} (question|thing|message) (I ever asked here|of the day|of this {chat}|I sent you|you got from me)
(the very|my very|your very) {start1.nth} {qa}
(the|my) original question<start=1>
(the question|the thing|what) (that |){iasked} {start1.nth}
the {start.nth} (of my questions|of your answers|of the things I asked|of these questions|of all my questions)
(not the (first|second|last|third|previous) one, |no not the last, |)(the|my) {start.nth} (one|question)
(the first|the second|number two|the last)(, no wait|... sorry|, I mean|, scratch that|, oops), the {start.nth} (one|{q})
item {start.digit} (in|of|from) (our|this) {chat}
turn {start.digit}
message {start.digit}
q{start.digit}
the {start.nth} time I (asked|wrote|messaged) you (something|)
(whichever|whatever) (question|thing) was {start.nth}
(the|your) reply to {q} {start.digit}
the {start.nth} (prompt|entry) (up there|from the top|at the top|from the start|from the beginning)
the {start.nth} (question|message|answer) from the (top|start|beginning)
<start=1>the (question|message|thing) at the (very top|top)
the previous {tail.card} {qas}
(the|my) past {tail.card} (questions|messages)
(the|my) (question|message) {start.digit}
the {start.nth} and {start.nth} (questions|answers|ones) (only|)
my {start.nth} (ask|concern|inquiry|request)
the {start.nth} thing on (my|our) list of questions
the (response|answer) (you gave|you had) (for|to) (the|my) {start.nth} (one|question)
<one_of=1>(one|any|either) of (my|the) first {head.card} {qs}
<one_of=1>one of (your|the) first {head.card} {as}
<one_of=1>one of (my|the|our) last {tail.card} {qas}
<one_of=1>(whichever|one) of the last {tail.card} (answers|questions) (it was|had it)
<one_of=1>the {start.nth} or (the |maybe the |possibly the |){start.nth} {qa}
<one_of=1>(my|your) {start.nth} or {start.nth} (question|answer|message)
<one_of=1>(question|answer|message|number|#) {start.digit} or {start.digit}
<one_of=1>the {start.nth}(, or was it the |... or the |, maybe the |, could be the ){start.nth} (one|{qa})
<one_of=1>either the {start.nth} or the {start.nth} (one|question|answer)
<one_of=1><start=1><start=2><start=3>one of (the|my|your) (first few|earliest|opening|very first) (questions|answers|messages|ones)
<one_of=1><end=1><end=2><end=3>one of (the|my|your) (last few|latest|most recent) (questions|answers|messages|ones)
<end=1>the (bottom|bottommost|closing|newest|concluding) {qa}
<end=1>the (question|answer|one) at the (bottom|very end|end)
<end=1>(the one|what) (I|you) (ended|finished|closed|wrapped up) (with|on)
""")

ORDINAL_SENTENCES = lines("""
what (was|were|is) the {start.nth} (thing|question) {iasked}?
what did I {ask2} {start1.nth}?
what did I {ask2} {start1.nth} (today|here|in this chat|when I came in)?
what did you {say2} (to my|for my|on the|to the) {start.nth} (question|one|message)?
how did you (answer|respond to) (my|the) {start.nth} (question|one|query)?
(which|what) question did I ask {start1.nth}, and what (did you say|was the answer)?
(what|which) was the {start.nth} question, (again|the one before I got distracted|I lost count)?
(where|how) did (we|I) (start|begin)<start=1>, (what was the question|what did I ask)?
(go to|open|see|check) {q} {start.digit}
(repeat|redo|explain|resend) {start.digit} {please}
(repeat|redo|explain|show) {start.digit} and {start.digit} (only|{please}|)
(what|anything) (did I ask|did you say) (at|in) number {start.card}?
<end=1>what (was|is) (the last thing|my last question|the last question) (I asked|I asked you|) (again|)?
<end=1>what did I (just |)(ask|say) last?
<end=1>what did you {say2} last?
(I asked you|you told me) something as (my|the) {start.nth} (question|answer), (what was it|repeat it)?
(of|from|among) (all |)(my|the) (questions|things I asked), (repeat|take|pick|answer) the {start.nth} (one|)
(compare|combine|merge|contrast) (your|the) {start.nth} and (your |the |){start.nth} {as}
(merge|combine|put together) {as} {start.digit} and {start.digit}
(do|does) (your|the) {start.nth} and {start.nth} {as} (conflict|agree|match|contradict each other)?
(summarize|list|recap|translate) the first {head.card} (questions|things I asked|answers|replies) (only|{please}|)
(summarize|list|recap|translate) (my|the) last {tail.card} (questions|answers|replies|messages) {please}
<end=1>scratch (my|the) last (question|message)
<end=1>(retry|redo|rerun|regenerate) (my|the) last (question|one|prompt|answer)
the {end.nth} to last one(, please|, not the last|), {contq}
I (counted|checked), it's (question|number) {start.digit} that I (need|meant|want)
back to square one, (what was my|repeat my) {start1.nth} (question|message)
if I (count|scroll) from the (top|start), the {start.nth} (one|question), {contq}
(counting|count) from the (end|bottom), the {end.nth} (one|question), {contq}
I asked (several|a few|many|a bunch of) things, {canyou} (answer|repeat|redo) the {start.nth} (again|one|)
<one_of=1>I (think|believe|guess) it was the {start.nth} or (the |){start.nth} (question|answer|one), {contq}
<one_of=1>(was it|it was) the {start.nth} or (the |){start.nth} (answer|question|one)(, I forget which|, not sure|, one of those), {contq}
<one_of=1>one of the first {head.card} (things I asked|answers|questions)(, not sure which|, can't remember which|, I forget which one|), {contq}
<one_of=1>one of (your|the) last {tail.card} (answers|replies)( was wrong| had a number| mentioned it|, don't know which)(, check it|, find it|)
<one_of=1>{start.digit} or {start.digit}(, not sure| I think|, one of them)
<one_of=1>(somewhere|something) in the first {head.card} (questions|answers), (not sure which|I lost track), {contq}
""")

RELATIVE = lines("""
the {qa} {ago.card} (questions|messages|turns|replies|prompts|exchanges) ago
(what|the thing) {iasked} {ago.card} (questions|messages|turns|prompts) (ago|back|earlier)
(what|the thing) {yousaid} {ago.card} (answers|messages|replies|turns|questions) (ago|back)
(my question|your answer|the message|the one) (from |){ago.card} (back|before|ago|turns back|messages up|steps back)
the {qa} {ago.card} (up|back|above)
{ago.card} (questions|messages|answers|turns|prompts) (ago|back)
<ago=1>(a|one) (question|message|turn) (ago|back)
<ago=1>the (previous|preceding|prior) {qa}
<ago=1>my (previous|preceding|prior) {q}
<ago=1>your (previous|preceding|prior) {a}
<ago=1>the (question|answer|one|message) (right |just |immediately |)before (this|this one|this question)
<ago=1>the {qa} (right above|just above|directly above|above this|above)
<ago=1>what (I asked|you said|you answered) (right |just |)before this (one|question|)
<ago=2>the (one|question|answer|message) before (the last|last|my last|my last one|the last one|the previous one|my previous question)
<ago=2>(my|the) question before (last|the last)
<ago=2>your answer before (last|the last one|this last one)
<ago=2>the one (that came |I asked |)before (that|that one)
<ago=2>the (previous to last|question prior to the last one)
<ago=2>not the (last|previous) (one|question) but the one before (it|that)
<offset=-1>the (one|question|thing|message) (right |just |immediately |I asked |)before the {topic.bare} (question|one|thing|part|topic)
<offset=1>the (one|question|thing|message) (right |just |immediately |I asked |that came |)after the {topic.bare} (question|one|thing|part|topic)
<offset=-1>the (question|one|answer) (before|preceding|prior to|ahead of) the one about {topic.np}
<offset=1>the (question|one|answer) (after|following|next to|that followed) the one about {topic.np}
<offset=-1>(what|the thing) (I asked|we discussed|you told me) (right |just |)before (we talked about|I asked about|I brought up|we got to) {topic.np}
<offset=1>(what|the thing) (I asked|we discussed|you told me) (right |just |)after (we talked about|I asked about|I brought up) {topic.np}
<offset=-1>(my question|your answer|the answer) (before|prior to) (the part about|the one on|the part on) {topic.np}
<offset=1>(my question|your answer|the answer) (after|following|succeeding) (the part about|the one on|the one about) {topic.np}
<offset=1>the (next|follow-up) question (I asked |)after {topic.np}
<offset=1>whatever (I asked|you said|came) (next|right) after {topic.np}
<offset=-1>whatever (I asked|you said|came) (right |)before {topic.np}
(the one|the question|what I asked) {before.card} (questions|messages|turns) before the {topic.bare} (one|question)
(the one|the question|what I asked) {after.card} (questions|messages|turns) after the {topic.bare} (one|question)
the {qa} {before.card} before the one about {topic.np}
the {qa} {after.card} after the one about {topic.np}
<offset=1>the (one|question|answer|message) (right |)after (the|my) {start.nth} (one|question|message)
<offset=-1>the (one|question|answer|message) (right |)before (the|my) {start.nth} (one|question|message)
<offset=1>(what I asked|what you said|what came) (right |)after (the|my) {start.nth} (question|one)
<offset=-1>(what I asked|what you said) (right |)before (the|my) {start.nth} (question|one)
<offset=1>the (question|one) (that followed|following|next to) (the|my) {start.nth} (one|question)
(the one|the question) {after.card} after (the|my) {start.nth} (one|question)
<offset=-1>the question I asked before {topic.gerund}
<offset=1>the question I asked after {topic.gerund}
<one_of=1>(the question|the answer|what you said|something) {ago.card} or {ago.card} (questions|messages|turns|answers) (ago|back)
<one_of=1>{ago.card} (or maybe|or|, maybe) {ago.card} (questions|messages|turns) (ago|back)
""")

RELATIVE_SENTENCES = lines("""
what did (I|we) (ask|say|talk about|discuss) {ago.card} (questions|messages|turns) ago?
what did you {say2} {ago.card} (answers|questions|messages|turns|replies) (ago|back)?
(go|scroll|jump|step|rewind|move) back {ago.card} (questions|messages|turns|steps|answers) {please}
(let's|can we|I need to) (go|jump|rewind) back {ago.card} (questions|messages|turns|)
<ago=1>go back one (question|step|message|turn) {please}
<ago=1>(back|go back) to the previous (one|question|topic) {please}
<ago=1>(repeat|explain|redo|summarize) the previous (one|answer|reply) {please}
<ago=1>what was (my|the) previous (question|message|one)?
<ago=1>(previous|prev) (question|answer|message|one) {please}
<ago=2>what did I ask before (that|the last one|the last question)?
<ago=2>(what|which one) came before (that|the last one|the last question)?
<ago=2>and (the one |)before (that|that one)?
<offset=-1>what (did I ask|did we talk about|were we discussing) (right |just |)before (the {topic.bare} (question|thing|one|part)|{topic.np})?
<offset=1>what (did I ask|did we talk about|were we discussing|did you say) (right |just |)after (the {topic.bare} (question|thing|one|part)|{topic.np})?
<offset=-1>before (the {topic.bare} (question|thing)|{topic.np}) I asked (something|something else|you something), what was (it|that|the answer)?
<offset=1>after (the {topic.bare} (question|thing)|{topic.np}) I asked (something|something else|another thing), what was (it|that|your answer)?
<offset=1>what (came|was) (next|after) (once we finished with|when we were done with|after) {topic.np}?
<offset=1>what did I ask (right |)after (my|the) {start.nth} (question|message)?
<offset=-1>what did I ask (right |)before (my|the) {start.nth} (question|message)?
I (said|asked|mentioned) something {ago.card} (messages|questions|turns) (ago|back), (what was it|can you find it|repeat your answer)
it was {ago.card} (questions|messages|answers) (ago|back), {contq}
{ago.card} (questions|messages|answers|turns) ago you (said|told me|mentioned|gave me) (something|a number|a name|a tip|a list), what was (it|that)?
{ago.card} (questions|messages|turns) (ago|back)
(the answer|your reply|my question) {ago.card} (up|back|turns ago|messages up), {contq}
(skip|ignore) the last one(,|and) (go|look) (to|at) the one before (it|that)<ago=2>
""")

TEMPORAL = lines("""
<time=just_now>what you (just said|just told me|just wrote|just explained|just answered|said just now|told me just now|said a moment ago|told me a second ago|said a minute ago|literally just said)
<time=just_now>what I (just asked|just said|just typed|asked just now|asked a moment ago|asked a second ago|just sent)
<time=just_now>the (answer|reply|thing|question|explanation|part|info) (you just gave|you just gave me|I just asked|you gave just now|from just now|from a moment ago|from a second ago|you sent a minute ago)
<time=just_now>your (answer|reply|response|explanation|message) (just now|a moment ago|a second ago|from a moment ago)
<time=just_now>that (thing|answer|one|bit|reply) (just now|from a second ago|you just mentioned|you just sent|you just said)
<time=just_now>everything you just (said|wrote|told me)
<time=just_now>the one (just now|from a moment ago|a second ago)
<time=just_now>the thing we (just talked about|were just talking about|just discussed)
<time=earlier>what you (said|told me|mentioned|explained|wrote|answered|gave me) (earlier|before|a while ago|a while back|previously|some time ago|earlier today|earlier in the chat|further up)
<time=earlier>what I (asked|said|mentioned|sent) (earlier|before|a while ago|a while back|previously|earlier today|earlier in this chat)
<time=earlier>the (answer|question|thing|reply|message|one|discussion|topic|explanation) (from |)(earlier|before|a while ago|a while back)
<time=earlier>the thing (from earlier|we discussed earlier|we talked about earlier|I asked you before|you mentioned before)
<time=earlier>(my|your|our) earlier (question|answer|reply|message|discussion|conversation|point)
<time=earlier>one of (my|your|the) earlier (questions|answers|messages)
<time=earlier>(something|that thing) (you said|I asked|we discussed) (earlier|before|a while ago)
<time=earlier>where we (left off|were|stopped) (earlier|before|a while ago)
<time=earlier>what we (were talking about|discussed|talked about|covered|were discussing) (earlier|before|a while ago|previously)
<time=opening>what (I asked|we talked about|you said|you told me|I said) (at the (very |)(beginning|start)|when (we|I) (started|began)|when I opened this {chat}|at the outset|in the beginning|when I first (messaged|wrote) you|when I first got here)
<time=opening>the (question|topic|thing|answer|one) (from the (very |)(beginning|start)|we (started|began|opened) with|that (started|opened|kicked off) (this|our) {chat}|at the (beginning|start|top) of (this|our) {chat}|I opened with|I started with)
<time=opening>how (this|our|the) {chat} (started|began|opened)
<time=opening>where (this|our) {chat} (started|began)
<time=opening>my opening (question|message|line|request)
<time=opening>your opening (answer|reply|response)
<time=earlier>what (you told me|I asked|we discussed|you said) (this morning|yesterday|before lunch|before I left|before my break|before I logged off|the other day|last time)
<time=earlier>the earlier (one|answer|question|message)
<time=earlier>(that|the) thing (we talked about|you told me|I asked you about|we were discussing)
<time=earlier>(whatever|the stuff) (you said|we discussed|I asked) (earlier|before|a while ago)
<time=opening>what I came here (to ask|for) (originally|in the first place)
<time=just_now>(that|the) (last bit|part) you just (wrote|said|sent)
""")

TEMPORAL_SENTENCES = lines("""
<time=just_now>what did you just (say|tell me|write|mean)?
<time=just_now>what did I just (ask|say|type|send)?
<time=just_now>wait, what did you (just say|say just now|say a second ago)?
<time=just_now>you just (said|told me|mentioned|gave me) (something|a number|an amount|a name|a date), (what was it|can you repeat it|where did you get that)?
<time=just_now>(repeat|rephrase|explain|simplify|summarize) what you (just said|said just now|just told me) {please}
<time=just_now>I (didn't catch|missed|didn't get|didn't read) what you (just said|just wrote|said just now)
<time=just_now>(sorry|pardon|huh), what was that (just now|a second ago)?
<time=just_now>didn't you just (say|tell me) (the opposite|otherwise|something else|it's fine|it's not allowed)?
<time=just_now>but you just said (it's fine|no|yes|it's free|it's not possible|otherwise)
<time=just_now>just now you (said|told me|mentioned) (something|something else|a different thing|a step), {contq}
<time=just_now>(a moment|a second|a minute) ago you (said|told me|gave me) (something|an answer|a tip|a number), {contq}
<time=just_now>how did you (get|come up with|arrive at) what you just (said|told me)?
<time=earlier>what (did you say|did you tell me|did I ask|were we talking about|did we discuss|was it you said|was I asking) (earlier|before|a while ago|a while back|previously|earlier today)?
<time=earlier>(as|like) (I|you|we) (said|mentioned|discussed|asked) (earlier|before|previously), {contq}
<time=earlier>you (said|told me|mentioned|explained) (something|it|this) (earlier|before|a while ago|a while back), {contq}
<time=earlier>(earlier|before|a while ago|a while back|previously) you (said|told me|mentioned|gave me) (something|an answer|a tip|a number|a list), (what was it|what was that|repeat it please|I need it again)
<time=earlier>(earlier|a while ago|before) I asked (you |)something, (what was it|what was your answer|do you remember|can you go back to it)?
<time=earlier>(can we|let's|I want to) (go back|return|get back) to (what we were (discussing|talking about) (earlier|before)|earlier|our earlier topic|before)
<time=earlier>(let's|can we) (continue|resume|pick up) (from |)where we (left off|stopped) (earlier|)
<time=earlier>(I lost|I can't find|where is|show me) (what|the thing) you (said|sent|gave me) (earlier|before|a while ago)
<time=earlier>you (answered|explained) this (earlier|before|a while ago)(, right|, say it again|, what was it)?
<time=earlier>(didn't|haven't) (I|we|you) (already |)(ask|talk about|mention|cover|discuss|say) (this|that) (earlier|before|a while ago)?
<time=earlier>(is|was) that (the same as|different from) what you (said|told me) (earlier|before|a while ago)?
<time=earlier>that's not what you (said|told me) (earlier|before|a while ago)
<time=opening>what did (I|we) (ask|talk about|discuss|start with|say|open with) (at the (very |)(beginning|start)|when (we|I) (started|began)|when I opened (this|the) {chat}|in the beginning|at the outset)?
<time=opening>(how|where) did (this|our|the) {chat} (start|begin|open)?
<time=opening>what were we (talking about|discussing) (at the (beginning|start)|when this {chat} (started|began|opened)|when I first came in)?
<time=opening>(go|take me|scroll|rewind|jump|let's go|can we go) (all the way |)back to (the (very |)(beginning|start|top)( of (this|our) {chat}|)|where we started|how we started)
<time=opening>(when|back when) (I|we) (first |)(started|opened|began) (this|the|our) {chat}, (what did I ask|what did I want|I asked something|you told me something), {contq}
<time=opening>at the (very |)(beginning|start) (of (this|our) {chat} |)(you|I) (said|asked|mentioned) something, (what was it|repeat it|do you remember)?
<time=opening>what was I (after|looking for|asking) when I (opened|started) this {chat}?
""")

TOPIC = lines("""
the (question|one|answer|part|thing|bit|discussion|reply|message|conversation|info|section) about {topic.np}
the {topic.bare} (question|thing|one|part|answer|topic|discussion|bit|issue|stuff|info|reply)
that {topic.bare} (question|thing|one|answer|stuff|tip|advice|bit)
my question (about|on|regarding|concerning) {topic.np}
your (answer|reply|explanation|advice|response|tip|tips|suggestion) (about|on|regarding|for) {topic.np}
what you (said|told me|wrote|explained|recommended|advised|mentioned) (earlier |before |a while ago |)(about|on|regarding) {topic.np}
what I (asked|said|asked you|wanted to know|mentioned) (earlier |before |a while ago |)(about|regarding) {topic.np}
what we (said|discussed|talked about|agreed|covered) (earlier |before |)(about|on|regarding) {topic.np}
the (answer|reply|part|message|one|place) (where|in which) (you|we) (mentioned|talked about|discussed|explained|covered|brought up) {topic.np}
the (answer|reply|message|one) that (mentioned|mentions|talked about|covered|had|dealt with|was about) {topic.np}
the {topic.bare} (you mentioned|you told me about|you talked about|we discussed|I asked about|you recommended|from earlier|you brought up)
the (one|question|answer|part) (on|with|involving|regarding|concerning) {topic.np}
(the|that) (part|bit|time|moment|answer) where you said {topic.clause}
(the|that) (part|bit|moment) where I asked about {topic.np}
when I asked (you |)about {topic.np}
when you (mentioned|talked about|explained|brought up) {topic.np}
the (question|part|one|answer|advice|tips|steps) (about|on|for) {topic.gerund}
what you (said|told me|advised|explained|suggested) about {topic.gerund}
my question about {topic.gerund}
our (discussion|talk|chat|conversation) (about|on) {topic.np}
that (thing|bit|part|point|stuff) (about|on|with) {topic.np}
the one (about|with|on) {topic.np} (from earlier|from before|a while ago|earlier|you gave me)
the earlier (question|answer|discussion|part) (about|on) {topic.np}
the first time (I asked|we talked) about {topic.np}
(the last thing|the last|the final thing) you said about {topic.np}
my {topic.bare} (question|concern|issue|problem|inquiry)
your {topic.bare} (tip|answer|advice|suggestion|explanation|reply)
the one with (the |){topic.bare} (in it|)
whatever you (said|told me|recommended) (about|on|for) {topic.np}
the stuff (about|on) {topic.np}
the (message|answer|reply) (with|containing|mentioning) {topic.np}
""")

TOPIC_SENTENCES = lines("""
what did you (say|tell me|mention|write|explain|recommend|advise) (earlier |before |again |)about {topic.np} (again|earlier|before|a while ago|)?
what did (I|we) (say|ask|discuss|decide|agree on|conclude) (earlier |)(about|on|regarding) {topic.np} (again|earlier|)?
what was (it |)(that |)you (said|told me|mentioned) about {topic.np} (again|)?
what (was|were) (the|your) (answer|advice|recommendation|tip|steps|verdict|conclusion) (about|on|for|regarding) {topic.np} (again|)?
remind me (again |)what (we|you|I) (said|discussed|decided|told me|agreed|concluded) about {topic.np}
remind me (again |)(of|about) (what you said about |your answer on |the answer on |your advice on ){topic.np}
(go|going|let's go|can we go|coming|circling|can we circle|jumping) back to {topic.np} (you mentioned|thing|question|for a sec|for a moment|, please|), {contq}
back to {topic.np} {please}
(back to|returning to|going back to) (the|my) {topic.bare} (question|thing|issue|topic)(, {contq}|)
you (mentioned|said something about|talked about|brought up|told me about|were saying something about) {topic.np} (earlier|before|a while ago|), (can you expand|what was that|{contq})
(earlier|before|a while ago|previously) you (mentioned|talked about|said something about|explained|brought up) {topic.np}, {contq}
(earlier|before|a while ago|previously) (I|we) (asked|talked|were asking) about {topic.np}, {contq}
(I|we) (asked|talked) about {topic.np} (earlier|before|a while ago|a while back), {contq}
when (I asked|we talked|we were talking) about {topic.np}, what did you (say|answer|tell me|recommend|mean)?
when you (mentioned|said something about|explained|brought up) {topic.np}, (what did you mean|did you mean it literally|{contq})
where (was|is) (that|the) (part|bit|answer|message) about {topic.np}?
how did you (answer|explain|put) (that|the) (thing|question|part) (about|on) {topic.np}?
how did (that|the) {topic.bare} (thing|question|one) go again?
(the|that) {topic.bare} (one|thing|part|question) again {please}
{topic.bare} (one|thing|question|part|answer) again {please}
I (meant|mean|was asking about|was referring to) the {topic.bare} (one|question|thing|part)
(didn't|did) you (say|mention|tell me|talk about) (something |anything |)about {topic.np} (earlier|before|)?
(did|didn't) (I|we) (ask|talk) about {topic.np} (earlier|already|before|)?
you said {topic.clause}(, right|, is that correct|, are you sure|, where did you get that|, why|, but is it true)?
you (told me|mentioned|claimed) (earlier |before |that |)(that |){topic.clause}(, {contq}|)
(earlier|before|a while ago) you said (that |){topic.clause}, {contq}
what did you mean (when you said|by|earlier when you said) {topic.clause}?
why did you say (that |){topic.clause}?
(repeat|explain|resend|summarize|expand on|continue) (what|everything) you (said|told me|wrote) about {topic.np} {please}
(repeat|explain|resend) the (part|bit|answer) about {topic.gerund} {please}
so (about|regarding) (that|the) {topic.bare} (thing|question|issue) (again|earlier|you mentioned), {contq}
(as for|about|regarding) what you said about {topic.np}, {contq}
I (forgot|lost|missed|can't find) (what you said|your answer|the part|your advice|the link you gave|the steps you gave) (about|on|for) {topic.np}
(find|pull up|bring up|show me|search for|look for) (the|our|that) (chat|message|answer|discussion|part) (about|on) {topic.np} {please}
(can you|could you|please) (repeat|copy|quote) (your|the) {topic.bare} (answer|tip|advice|part|recommendation) {please}
was (that|it) in the {topic.bare} (answer|question|part) or (somewhere else|another one)?
(still|again) (on|about) {topic.np} (you mentioned|from earlier|we discussed), {contq}
I('m| am) still (thinking|confused|worried|curious) about (what you said about |the answer on |your answer about ){topic.np}
(thanks|ok|okay|alright|great), (and|now|so) (what did you say|what was it|back to what you said) about {topic.np}?
(one more thing|also|btw|by the way), (about|on) the {topic.bare} (question|thing|one) (earlier|from before|I asked), {contq}
what (else |)did you say (when I asked |the time I asked |after I asked )about {topic.np}?
the (same|) thing you (said|told me|recommended) (about|for) {topic.np}, does it (still |)apply here?
(use|apply|follow|copy) the (same |)(format|steps|method|table|style) (you used |as |you gave |from )(for |in )the {topic.bare} (answer|one|question)
{topic.keyword}?? you (mentioned|said something about) (it|that) (earlier|a while ago|before)
(that|the) {topic.bare} you (recommended|mentioned|suggested|talked about|told me about)(, what was it called|, where is it|, how much was it|, is it good| again|)?
(what|which) {topic.keyword} (was it|did you mention|did you recommend|did you say|were you talking about) (again|earlier|before)?
(how much|how long|where|when|what|how many) did you say (the |){topic.bare} (was|were|is|would be|takes|costs) (again|)?
(what|how much|where|when|who) was (the|that) {topic.bare} (again|you mentioned|you told me about|you said)?
I thought you said {topic.clause}
(wait|hold on|hmm), (didn't you say|you said) {topic.clause}?
according to (you|your answer|what you said), {topic.clause}, {contq}
you (recommended|suggested|advised) {topic.np} (earlier|before|a while ago|), {contq}
(so|ok so) {topic.np} (like you said|as you said|as you mentioned), {contq}
(still on|back on) (the|my) {topic.bare} (topic|question|issue), {contq}
(any update on|anything to add to) what you (said|told me) about {topic.np}?
is {topic.np} (still |)what you (recommended|suggested|meant) (earlier|before|)?
(you|we) (never finished|didn't finish|stopped at) (the {topic.bare} (part|topic|question)|talking about {topic.np})
(let's|can we) (continue|finish|resume) (with |)(the {topic.bare} (topic|discussion|part)|what we said about {topic.np})
""")

FRESH_OPENERS = lines("""
last question,
last question:
one last question,
one last thing,
first question:
first of all,
first,
second question:
next question,
my next question:
another question,
third question,
2nd question:
question 2:
question 1.
new topic,
different topic:
unrelated, but
one more question,
final question:
okay next,
question number three:
secondly,
lastly,
I have two questions. first,
before I forget,
before anything else,
""")

OPENERS = lines("""
I'm with a client right now.
my boss just walked in.
I had lunch first.
I was in a meeting earlier.
ok I read everything.
I'm typing from my phone.
my sister asked me first.
it's been a long day.
I had to restart my phone.
I'm back from my break.
that was helpful.
sorry I got disconnected a while ago.
I showed it to my wife.
so my teacher came back.
I have a meeting in five minutes.
hey,
hi,
hello,
hey there,
hi again,
ok so
okay,
so
um,
wait,
hmm,
actually,
btw,
by the way,
sorry,
sorry to bother you,
excuse me,
quick question:
quick one,
one more thing,
also,
and
well,
alright,
thanks!
thank you,
great, thanks.
cool.
good morning,
good evening,
bro,
dude,
man,
sir,
ma'am,
chatgpt,
assistant,
bot,
ok got it.
no no,
oh,
lol
I'm back,
just curious,
I was wondering,
please,
hey sorry,
ok cool,
right,
anyway,
not sure if you can help but
this might be a dumb question but
if possible,
for my report,
for my kid's homework,
my boss is asking,
""")

CLOSERS = lines("""
please
pls
thanks
thank you
thanks!
ty
if you can
if possible
asap
, bro
, sir
, man
🙏
😅
😊
🤔
lol
haha
!!
...
, just to be sure
, I'm curious
, thanks in advance
when you have time
real quick
, sorry
, I'm in a hurry
for me
, it's urgent
, if you don't mind
""")

GRAMMAR = Grammar(
    lang="en",
    rules=RULES | CONT,
    cases={"P": "{X}"},
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

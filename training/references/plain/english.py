"""English plain mentions, and further ways to count and to date."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

RULES = rules("""
goon = how long does it take / is there a cheaper one / can you make it shorter / what else do I need / is it free / who do I contact / does it still apply / what if I'm late / can I do it online / which is better / how much in total / make it two pages / add my name to it / is it safe / why is that / can you give an example / what comes next / is there a limit / does it expire / can it be done faster / are there other options / what's the catch / how do I start / is that enough / can I skip it / do I need a lawyer / what are the risks / is it worth it / can you double the portions / will it work on my phone / what did it cost / where do I find it / who is in charge / what time does it open / can I bring my kid / explain it like I'm new / give me the short version / I need it in Tagalog / put it in a table
cond = I'm a student / it rains / I'm late / I work abroad / I have no ID / it's a holiday / I'm a senior / I pay in cash / there are two of us / I'm on a tight budget / I only have a day / I'm a foreigner / I start next month / my phone is old / I live in the province
artmod = shorter / funnier / more formal / simpler / longer / bolder / friendlier / clearer / less wordy / more detailed / in Tagalog / in English / for kids / for my boss / landscape / cheaper / spicier / faster
aspect = deal / story / verdict / answer / plan / figure / number / price / amount / name / reason / rule / limit / deadline / trick / difference / schedule / total / cost / address / requirement / process / steps / recipe / advice / result / conclusion / explanation / catch / timeline / percentage
gen = topic / subject / issue / concern / request / task / problem / point / matter / item / case / discussion / exchange / thing I brought up / thing you helped me with / thing we tackled / thing on my mind / inquiry / command / favor I asked
""")

SURE = lines("""
(what|how much|how many|when|where|who|which) (was|were) (the |that |it with the |){topic.bare} again?
what were (the|those) {topic.bare} again?
(remind me|refresh me|fill me in again) (about|on) {topic.np} {please}
remind me (again |)(why|how|that) {topic.clause}
what did (we|I|you) (decide|settle|land|conclude|agree) on (for |with |){topic.np}?
(go over|run through|walk me through|take me through) {topic.np} (again|once more|one more time) {please}
(that|those) {topic.bare} (again|, what was it|, what were they|)?
(sorry|wait|hold on|hmm), (what|how much|who|when|where|which) (was|were) (the |that |){topic.bare}?
where were we (with|on) {topic.np}?
(I forgot|I lost|I can't recall|I no longer remember|it slipped my mind,) (the|about the|what the|what you had for the) {topic.bare} (was|part|)
(I'm still stuck|still not clear|still unsure|still lost|one thing|I'm back) (on|about|to) (the|that) {topic.bare} (part|bit|thing|)
the {topic.bare} you (made|wrote|built|drew|came up with|listed|found|gave me|suggested|sent|prepared|computed|recommended|described|laid out)(, {goon}|)
(the|that) {topic.bare} (from before|from earlier|above|up there|you had)(, {goon}|)
(could|can) we (pick up|continue|carry on) (with|on) {topic.np} (again|where we left off|)?
(so|ok|okay|alright|anyway), (back|going back|returning|jumping back) (on|to) {topic.np}
let's (talk|get|go|circle) back (about|to|on|around to) {topic.np}
what was the {aspect} (with|for|on|about|of|behind) {topic.np} (again|)?
what('s| is) the {aspect} (with|for|on|of) {topic.np} again?
how did (we|you) (handle|solve|fix|work out|compute|get|do|settle) {topic.np}?
you were (telling|explaining to|showing|teaching) me (about |){topic.np}
I liked (the|that|your) {topic.bare} (idea|tip|suggestion|one|approach)
(do the same|something similar|the same thing) (as |like |)(you did |)(for|with) {topic.np}
which {topic.keyword} (was|were) (it|that|those) (again|you liked|you picked)?
(how|what) did (it|that) go (again |)(with|for) {topic.np}?
who (was|were) (it|the ones|the people) (again |)(with|in|for|behind) {topic.np}?
(what|how much|how many|when|where|who|why) did you say (it was|that was|about) (for |with |on |){topic.np}?
(what|how much|how many|which one) (did|was) it (come to|cost|take|be) (for|with) {topic.np} (again|)?
(did|didn't) (we|you|I) (already |)(settle|cover|go through|get to|sort out|do) {topic.np}?
(ok|so|now), (where|what) did we (leave|end up with|stop at) (with |on |){topic.np}?
(the bit|the section|the piece|the stuff|the portion) (on|with|where it's) {topic.np}
(scroll|take me|bring me) (back |up )to {topic.np}
(hm|hmm|uh|um), {topic.np} (was|were) (what|how much|when|where|who|which) (again|)?
{topic.np} (again|one more time|once more)(, please|, I forgot|, sorry|?|)
what was I supposed to (do|bring|say|check|buy|ask|remember) (about|for|with|regarding) {topic.np}?
(you had|there was) (a|an|some) (tip|answer|number|idea|example|list|rule|warning) (about|for|on) {topic.np}(, what was it|, show it|, I need it|)
(give|show|send) me (the|that) {topic.bare} (one more time|again|back)
I want to (revisit|reopen|continue|follow up on|ask more about) (the |that |){topic.bare} (one|thing|part|)
what you (had|got|found|worked out) for {topic.np}
(wasn't|isn't) (it|there) {topic.clause}, like you said?
(so|and) (you're saying|you mean|you were saying) (that |){topic.clause}?
""")

OPEN = lines("""
(about|regarding|on|as for|re|with) (the |that |){topic.bare}, {goon}?
(the|that) {topic.bare}(:|,| -) {goon}?
tell me more about {topic.np}
more (details|info|information|examples|background) (on|about) {topic.np} {please}
{canyou} (make|turn|get) the {topic.bare} {artmod}?
(change|update|edit|fix|rewrite|translate|shorten|redo|adjust) the {topic.bare} (to be |so it's |to make it |, ){artmod}
(expand|elaborate) (on|more on) {topic.np}
is {topic.np} (also|still|really|always) (needed|valid|required|true|possible|worth it|a must|enough)?
(does|will|would) {topic.np} (also |still |)(apply|work|count|matter|help) (if|when|even if) {cond}?
why {topic.clause}?
(so|ok so|wait so) {topic.clause}, (right|correct|is that right|yes)?
what if {cond}, (for|with) {topic.np}?
{topic.np}, {goon}?
(and|also|then|ok) (for|with|about) {topic.np}, {goon}?
who (do I|should I) (ask|contact|call|see) (about|for) {topic.np}?
(I tried|I did|we did|I followed|I'm doing) {topic.np} (and|but) (it didn't work|it's not working|nothing happened|I got stuck|it was great|I have a question)
(can|could|should) I (skip|change|replace|delay|double|combine) {topic.np}?
I (don't|didn't|still don't) (understand|get|follow) (the |){topic.bare}
{topic.gerund}, {goon}?
what (else|other options) (is there |are there |)(besides|aside from|other than) {topic.np}?
{topic.bare}?
{topic.bare} {please}
""")

ORDINAL = lines("""
the {start.nth} {gen} (I had|we had|we discussed|we covered|in this chat|here|) (again|)
my {start.nth} (one|try|attempt|go) (here|in this chat|at asking|)
(what|which) (did|was) (I|it) (ask|asking|say|want) {start.nth}?
{start.nth} {q} {please}
{start.nth} one (again|please|only|)
(the|that) {start.nth}(, please|, again| again|?|)
(take|use|open|redo|explain|answer|pick|grab) the {start.nth} (one |)(again|please|instead|first|)
between the {start.nth} and the {start.nth} (one|answer|question), which (is better|is cheaper|should I do first|matters more)?
(both |)(the|my) {start.nth} and (the |my |){start.nth} (ones|questions|answers) {please}
(look|look back|check) at (what I asked|your answer|what you said) (in|on|at|for) the {start.nth} (one|turn|question)
(in|from) (the|your|my) {start.nth} (answer|reply|message|question), {goon}?
(skip|jump|go|move|rewind) to (the {start.nth} (one|question|answer)|question {start.digit}|number {start.digit})
(answer|question|item|reply|turn|no) {start.digit}(, please| again|: {goon}|)
<end=1>(the|my|your) (most recent|latest|newest|last) (one|thing|answer|question|reply) (again|please|there|)
<end=1>(what|how) (was|did) (the|that) last (one|bit|answer|part) (again|go|mean)?
<end=1>(undo|redo|repeat|rephrase|explain) (the|that|your) last (one|answer|reply|message) {please}
<end=2>the second(-| )last (one|question|answer|reply)
<start=1>(what|where) did (all |)(this|it) (all |)(start|begin) with(, my question I mean|)?
<start=1>(go|back|all the way back) to (my|the) (initial|very first|original|opening) (question|request|problem|concern)
the {end.nth} (most recent|latest) (one|question|answer)
the (question|answer|one) {end.nth} from (last|the bottom|the end)
the last {tail.card} (again|only|please|of them|)
(everything in|all of) (the|my|your) first {head.card} (questions|answers|replies)
""")

RELATIVE = lines("""
<ago=2>(the one|the question|what I asked) before my (last|latest|previous) one
<ago=1>(the one|what was|the thing) (just |right |)above (this|here|)
<ago=1>(the|your) (preceding|prior|previous|foregoing) (one|answer|message|reply|item)
{ago.card} (back|up|above|prompts ago|exchanges ago|answers back)(, please|, {goon}?|)
(scroll|count|go|look) (back|up) {ago.card} (from here|from this one|questions|messages|)
<offset=-1>what (came|was|did I ask) (right |just |directly |)before {topic.np}?
<offset=1>what (came|was|did I ask|did we do) (right |just |directly |)after {topic.np}?
<offset=1>the (one|thing|question|topic) (that comes |)(after|following) {topic.np}
<offset=-1>the (one|thing|question|topic) (that comes |)(before|preceding) {topic.np}
<offset=1>once we were done with {topic.np}, what did I ask?
<offset=-1>(leading up to|prior to|just ahead of) {topic.np}, what was the question?
<offset=1>(right|just) after (you explained|I asked about|we did|the bit on) {topic.np}
<offset=-1>(right|just) before (you explained|I asked about|we did|the bit on) {topic.np}
""")

TEMPORAL = lines("""
<time=just_now>(that|this) (answer|reply|response|bit|part) (you've just given|right now|you only just wrote|from this minute)
<time=just_now>(say|explain|repeat) (that|it) again, (what you just said|the thing you just told me|just now)
<time=just_now>what (was|did) (that|you say) (right now|just this second|a sec ago|two seconds ago)?
<time=earlier>(our|the|that) (conversation|discussion|talk|chat) (a bit|a little while|some time|moments|not long) (ago|earlier|back)
<time=earlier>what were we (on about|saying|doing|working on) (earlier|before|a while ago|before this)?
<time=earlier>(you|I|we) (said|asked|mentioned|covered) (something|that|it) (further up|some time ago|before|earlier on|back there)(, {goon}|)
<time=earlier>(go|let's go|can we go) back (a bit|a little|some|to before|to earlier)
<time=earlier>(something|one thing) from (earlier|before|a while back)(, {goon}?|)
<time=opening>(how|what) did we (kick off|start off|begin|open) with?
<time=opening>(what|the thing) (brought me here|I came for|I wanted at first|I was after at the start)
<time=opening>(at|from) the (very |)(top|outset|start|beginning)(, what was it| of all this|, what did I want|)
""")

NEGATIVES = lines("""
(I forgot|I lost|I can't recall) my ({doc}|wallet|password|keys|{item}), (what should I do|how do I get it back|help)?
what was the {aspect} of the (Titanic|Marcos regime|first world war|Spanish era|Mayon eruption|Y2K bug|moon landing)?
(about|regarding) my ({doc}|{item}|landlord|boss|visa|son|loan), (what should I do|how do I fix it|who do I call|is it normal)?
(tell me more|tell me|more) about (the history of {place}|black holes|Jose Rizal|the stock market|Bitcoin|Korean food|blockchain)
(can you|please) (make|write|draft) (a|an|the) (caption|email|chart|table|plan|letter|recipe|list) (for|about|on) {topicn}
is (a |an |){item} (still |really |also |)(needed|worth it|required) in {place}?
(change|update|edit|fix) (my|the) (alarm|profile picture|password|address|time zone|wallpaper) (to|for) {place}
why (is the sky blue|do cats purr|is my baby crying|does bread rise|is rent so high|do we yawn)?
(so|wait), (you are|you're) (an AI|a robot|ChatGPT|free to use), right?
what did (Rizal|Einstein|Duterte|Taylor Swift|my horoscope|the news) say about (love|war|the peso|time|women)?
who was it that (discovered penicillin|wrote Noli|killed Magellan|invented the telephone|sang My Way)?
what's the {aspect} (for|of) (renewing a passport|a US visa|opening a bank account|a marriage license|adopting a dog) (in {place}|these days|)?
when (was|were) the (first|last) (olympics|iphone|pyramids|SEA games) (held|released|built)?
(my|our) (first|last) (anniversary|day at work|meeting with the client|child) is (coming|tomorrow|on Monday), (any ideas|what do I wear|what do I prepare)
""")

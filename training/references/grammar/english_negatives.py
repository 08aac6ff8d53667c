"""English: fresh requests, many with a word that elsewhere points back."""

from __future__ import annotations

from training.references.grammar.compose import lines

NEGATIVES = lines("""
# ---- first, second, third …
who was the {ordn} (president|king|prime minister|pope|emperor|woman|man|person|Filipino) (of {country}|to (climb Everest|walk on the moon|win a Nobel prize|win an Olympic gold|fly solo)|)?
what (is|was) the {ordn} {superl} (city|island|mountain|river|country|lake|building|language|desert) (in|of) (the world|{country}|Asia)?
what (is|was) the first (movie|computer|video game|car|book|language|newspaper|university|song|phone) (ever made|in history|in {country}|)?
(when|where) was the first (Olympics|car|airplane|mass in the Philippines|iPhone|newspaper|train|World Cup|hospital) (held|invented|released|built|made|)?
first aid for {sym}
what should I do first (when|if) (I lose my {doc}|my {item} {gadgetissue}|there's an earthquake|I want to {skill}|I move to {place}|I get {sym})?
it's my first time at {place2}, what should I (bring|wear|expect)?
(this is|it's) my first (job|flight|baby|time in {place}|month at work|marathon|apartment|date), (any tips|what should I know|I'm nervous)
how (do|can) I get the (first|last|second|third|nth) (element|item|row|word|character|line) (of|from|in) {clist} in {tech}?
(what|who) (came|comes) (first|second|last), the (chicken|egg) or the (egg|hen)?
who (finished|came|placed) {ordn} in (the marathon|the 2016 election|Miss Universe 2018|the race|the spelling bee|American Idol)?
what does the {ordn} (commandment|amendment|verse|stanza|chapter|article) (of ({title2}|the constitution|the song) |)say?
how do I (shift to|use|start in) (first|second|third) gear?
I have two (job offers|options|phones|schools), (one in {place} and one in {place}|A and B|a cheap one and an expensive one); (which is better, the first or the second|is the first one better|should I take the second one)?
between (an iPhone and a Samsung|{dish} and {dish}|{tech} and {tech}), is the (first|second|latter|former) (better|cheaper|harder) (for {persons}|)?
(choose|pick) one: 1. {place} 2. {place} 3. {place}
my (first|second|third|youngest|eldest) (child|son|daughter|grade|semester|attempt) (failed|is sick|is starting school|needs a {doc}|is coming), what (should I do|do I need)?
(what's|what is) a good first (car|phone|dance song|programming language|date idea|guitar|credit card)?
what is the (first|second|third) (step|stage|trimester|degree|law|world|base|person point of view)?
on the first day of (school|work|Christmas|ramadan|the month), what (happens|do I wear|should I bring)?
in a second-hand (shop|car), what (should|do) I (check|look for)?
how many seconds (are there|) in {period}?
what is a (second|first|third)-degree burn?
who (won|scored) in the (first|second|last|third) (quarter|half|game|set|round) of (the {team} game|the finals)?
(second|third|2nd) (dose|opinion|job|hand|floor) - (is it|what is it|where can I get one)?
what are the first (three|five|ten|20) (digits of pi|elements|prime numbers|presidents of {country}|letters of the Greek alphabet|amendments)?
(give me|list) the first (five|ten|3) (lines of {title2}|multiples of 7|books of the Bible|Pokemon)
(at|on) what floor is the {ordn} (clinic|office|store)?
is {ordn} (Avenue|Street|cousin|baseman) (a real thing|far from {place2}|the same as a sibling)?
# ---- last, final, latest
(what|when) (was|is) the last (train|bus|trip|flight|ferry|day of school|day of enrollment|mass|full show) (from|to) {place}?
(when|where) was the last (earthquake|eclipse|Olympics|World Cup|election|typhoon|eruption) (in {country}|held|)?
who was the last (emperor|queen|king|pharaoh|dinosaur|tsar|Spanish governor) (of {country}|)?
what happened last {period} in {place}?
(I|we) (bought|ordered|booked|watched|submitted|paid for) a {item} last {period}(, how do I return it|, is there a warranty|, when will it arrive| and it {gadgetissue}, what now)?
how much did I spend last {period}?
how long does (a tattoo|the flu|jet lag|a car battery|{dish}|a passport|a hangover) last?
what does "(last but not least|at last|last mile|last name|first and last)" mean?
what's the last (song|episode|chapter|line|scene|boss) (of|in|on) {title2}?
(who|what) won the last (season of|game of|match between) ({team}|Survivor|The Voice|the PBA)?
the last (time|person) I (visited {place}|ate {dish}|saw {person}|talked to) was {timeago}, (is that too long|should I call|do I need to go again)?
my last (period|payday|dental visit|oil change|salary|menstruation) was {timeago}, (when is the next one|am I late|is that normal)?
the last question (on|of|in) (my exam|the quiz|our test|the interview|the board exam) was about {topicn@1}, (what is it|how does it work|can you explain {topicn@1})?
(my teacher|the interviewer|the examiner|my boss|the client)'s last (question|message|email) was about {topicn@1}, (what is the best answer|how should I reply|explain {topicn@1})
what is the final (score|exam schedule|answer to 2x+3=9|boss of {title2}|grade computed)?
what's the latest (news|version of {tech}|score of {team}|update on the typhoon|iPhone|price of gas)?
my final (pay|exam|grade|interview) is {when2}, (how do I prepare|when will I get it|what should I bring)?
make the (last|first|second) (column|row|slide|letter) (bold|blue|bigger) in {tech}
how do I (remove|delete|undo) the last (commit|row|line|page|character|message) in {tech}?
(change|update) my last name (after marriage|on my {doc})
can you name the last (five|three|ten) (presidents|popes|champions|winners) of {country}?
what (year|day) was it (last|previous) leap year?
last (Friday|Monday|Christmas|New Year|summer)'s (holiday|game|storm|episode), (was it a working holiday|who won|how bad was it)?
last minute (gift|costume|trip|party) ideas for {person}
I'm down to my last {amt}, how do I (make it last|budget it|survive until payday)?
# ---- ago, before, earlier, previous
{timeago} I (bought|ordered|borrowed|sold|lost) (a|my) {item}, (how do I return it|can I still get a refund|how do I report it|what can I do)?
{timeago} (my {item} {gadgetissue}|I had {sym}|I moved to {place}|I applied for a {doc}), (what should I do|is that normal|when will it be released|do I need a checkup)?
(who|what) was (the president|popular|the price of rice|the dollar rate|the capital of {country}) (ten|20|50|a hundred|five) years ago?
how long ago did (dinosaurs|{person3}|the Romans|the Ice Age|World War 2) (live|die|end|exist|happen)?
what (should|must) I (do|eat|bring|check|know) before (a flight|surgery|an interview|going to {place}|buying a {item}|getting a {doc}|my exam|a blood test)?
(is it|isn't it) (safe|ok|okay|bad) to (eat|drink coffee|exercise|shower|sleep) (before|after) (bed|a workout|a blood test|eating|vaccination)?
the day before (Christmas|yesterday|the exam|payday|my flight), (is it a holiday|what should I do|what day is it if today is Tuesday)?
(what|who) came before (the Big Bang|World War I|{person3}|the iPhone|Windows 95|the dinosaurs|Marcos)?
my (previous|former|past|old|last) (employer|landlord|school|company|boss|dentist) (asks for|won't give me|lost|is asking for) (my|a) {doc}, (what should I do|is that legal|can they do that)?
how do I (restore|go back to|install|open) (a|the) previous (version|page|screen|level|backup|chapter) (of|in|on) ({tech}|Windows|my phone|Chrome|{title2})?
can I (leave|go home|wake up|graduate|retire|pay|check in) earlier (than|by) (5pm|planned|60|an hour|scheduled|my shift)?
how (can|do) I (wake up|sleep|arrive|get to work) earlier?
is it better to (book|pay|leave|plant|apply) earlier or later?
earlier (today|this morning|this week) (I had {sym}|my {item} broke|there was an earthquake|I fainted|my boss scolded me|I fell down the stairs), what should I do?
I ate {dish} (earlier|a while ago|before bed) and now I have {sym}, what (is it|should I take)?
(what|how) did people (use|do|live|communicate) before ({tech}|the internet|electricity|phones|money)?
have you ever (been to {place}|eaten {dish}|met {person3}) before?
I've never (been to {place}|cooked {dish}|tried to {skill}|used {tech}) before, (where do I start|any tips|is it hard)?
(do|should) I warm up before I (run|swim|lift|sing)?
best before date was {timeago} - is (the milk|{dish}|it) still safe after the date on the label?
# ---- again, back, repeat, remind, go on
how do I (get back|go back|return|commute) (to {place} from {place}|home from {place2}|into my account|my money|with my ex|into shape)?
how can I (win back|get back) (my ex|my money|my deposit|a customer|lost trust)?
(remind me|set a reminder) to (call|pay|email|thank|visit|message) ({person}|the bills|{place2}) (again|) {when2}
remind me (about|of) my (meeting|flight|appointment|interview|deadline) {when2}
when (is|does|will) ({person}|{team}|the store|the comet) (come back|play again|open again|be back|return)?
I( want|'d like|'m planning| need) to go back to (school|work|{place}|college|the gym|Windows 10), (how|is it worth it|what do I need)?
my {item} {gadgetissue} again, (how do I fix it|should I replace it|who do I call)
how do I (reset|start|try|apply|install|register) again after (failing|a denied visa|being banned|a crash|losing my password)?
how (many times|often) (can|should) I (repeat|retake|redo|renew) (the board exam|a set|my {doc}|a course|the bar)?
how do I make a (song|loop|playlist|video|alarm) repeat in {tech}?
(I have|what's good for|stretches for|causes of) (back pain|lower back pain|a stiff back)?
(write|create|make) a (function|program|script) in {tech} that repeats (a string|a task|every hour) {start_n} times
what's the name of that (movie|song|game|show) where (a man repeats the same day again|the ship sinks|a boy lives with wolves|they go back in time|everyone forgets him|the toys are alive)?
do you remember the (90s|year 2000|Titanic movie|Nokia 3310|EDSA revolution)?
(what|how) does "(come again|back to back|time and again|back and forth|déjà vu|on second thought|long time ago)" mean?
(will|can) it rain again {when2} in {place}?
see you again (tomorrow|soon|later)!
happy to be back!
welcome back to (the show|{place})! write a (line|caption) like that for my {item} shop
should I text (him|her|my ex) back?
# ---- other people's words, other conversations
({person}|a friend|the nurse|our teacher|the news) (said|told me|asked me|mentioned) (earlier|yesterday|before|a while ago|last week|) that {claim}, is (it|that) true?
({person}|my teacher|the recruiter|the agent) asked me (two|three|five|a few) questions (about|on) {topicn}, (how should I answer|what are good answers|what should I say)?
what did ({person3}|the president|the pope|Neil Armstrong|Jesus|{team}'s coach) (say|tell|write|answer) (about|on|in) (freedom|{topicn}|his first speech|the moon|his last words|his final letter|love)?
what were {person3}'s (last|first|final|famous) words?
what did (the doctor|a nurse|the pharmacist) mean by "{quoted}"?
someone (on Facebook|at work|in my class|on Reddit) said "{quoted}", (how do I reply|what does it mean|is that rude)?
(reply to|how do I answer) this (message|text|email): "{quoted}"
what is the answer to question {start_n} (of|in) (the 2019 bar exam|the LET reviewer|the driving test|{title2}'s study guide)?
(in|during) (the|my) (meeting|interview|class|sermon|podcast) (earlier|yesterday|this morning|last {period}), they (talked about|mentioned|discussed) {topicn@1}; what is (it|that|{topicn@1})?
(my|our) (last|previous|earlier) (conversation|call|meeting) with ({person}|HR|the bank|the landlord) went badly, how do I (apologize|fix it|follow up)?
how do I (see|find|delete|export|recover) my (old|previous|last|first|deleted) (messages|chats|emails|posts|conversations) (on|in) (Messenger|WhatsApp|Gmail|Viber|Telegram|Instagram)?
what questions (should|do) I ask (first|last|) (in|at) (a job interview|a first date|an apartment viewing|the embassy)?
how do I (answer|reply to) the question "tell me about yourself"?
# ---- plain fresh questions and commands
how (do|can|should) I {skill} (fast|at home|by myself|without money|in a month|)?
how to (cook|make|reheat|store|freeze) {dish}?
(what are|give me) the requirements for (a|getting a|renewing my) {doc} (in {place}|)?
how much (is|does) (a {item}|a flight to {place}|a {doc}|{dish}) (cost|in {place}|) {when2}?
what is {topicn} (and why is it important|in simple terms|for {persons}|)?
(explain|describe|define|discuss) {topicn} (in simple terms|for {persons}|with examples|)
(who|what) (is|was) {person3}?
when (was|did) {person3} (born|die)?
what (medicine|food|drink) is good for {sym}?
my {item} {gadgetissue}, (how do I fix it|what should I do|is it worth repairing|help)
(where|what) (can I|is the best place to) (buy|find|rent|fix) a {item} in {place}?
what's the (weather|time|traffic|temperature|dress code) (in|at|like in) {place} {when2}?
(write|draft|compose|make) a (poem|short story|message|letter|caption|speech|prayer|song) (for|about|to) {person}
(translate|how do you say) "{quoted}" (to|in|into) {lang2}
(set|create|add) (an alarm|a timer|a reminder|an event|a meeting) for {when2}
(what's|what is) (the capital|the currency|the population|the flag|the president|the language) of {country}?
(convert|how much is) {amt} (to|in) {unit}
(recommend|suggest) (a|some|me a) (movie|book|restaurant in {place}|gift for {person}|game|exercise|anime|budget {item})
what should I (wear|eat|cook|watch|bring) {when2}?
how far is {place} from {place}?
is it {adjq} to (drink tap water in {place}|eat raw eggs|travel to {place} {when2}|buy a second hand {item}|take vitamins at night)?
can {persons} (eat {dish}|drive in {place}|get a {doc}|drink coffee|work in {place})?
what's the difference between ({tech} and {tech}|a {item} and a {item}|{dish} and {dish}|affect and effect)?
(tell me|give me) (a joke|a fun fact|a riddle|some trivia|a quote about love|a bedtime story|the news)
(solve|compute|what is) (12 x 15|2x + 5 = 15|the square root of 144|15% of 2,500|the area of a circle with radius 4|the derivative of x squared)
(write|show me|give me) (a function|code|a script|a query|a regex) in {tech} that (sorts {clist}|reads a file|finds duplicates|counts words|removes the first row|returns the last element|joins two tables)
why (is the sky blue|do cats purr|is my {item} so slow|do we dream|is {place} so hot|am I always tired|do I have {sym} every morning)?
(hi|hello|hey|good morning|good afternoon|good evening|yo)
(hi|hello|good morning) (there|bot|everyone|sir|ma'am|again|)
(thanks|thank you|thx|ty|thanks a lot|thank you so much) (again|for your help|for the help earlier|bro|that helped|have a nice day|)
(bye|goodbye|see you|good night|talk to you later|ttyl)
who (are you|made you|created you)?
what can you do?
(how are you|how's it going|what's up)?
I('m| feel| am feeling) (sad|stressed|tired|lonely|bored|anxious|overwhelmed) (today|lately|again|these days|)
I'm (new here|from {place}|a nurse|a student|an OFW in {place}|a developer|running a small shop|a single mom), (can you help me|what can you help me with|nice to meet you|)
my name is (Ana|Jun|Carlo|Maria|Liza|Mark|Grace) (and I live in {place}|and I work in {place}|)
(turn|switch) (on|off) the (lights|aircon|TV|alarm|music)
play (some|) (music|OPM|jazz|Eraserheads|Taylor Swift|the first track|the previous song|the next song|the last album of Ben&Ben)
(how|what) do I (say|write|text) to {person} (when I'm late|to ask for a raise|to say sorry|to borrow {amt}|to break up)?
what (are|is) {topic.np}?
(I'd like to learn about|what can you tell me about|what should I know about|teach me the basics of) {topic.np}
(how do I start|what do I need for|is it hard|any tips for|how much does it cost|what's the best way of) {topic.gerund}?
I (need|want) (help with|information on|advice on|tips for|a guide to) {topic.np}
(best|cheap|top 5|good) {dish} (place|recipe|restaurant) in {place}
{item} {gadgetissue}
{dish} recipe
{doc} requirements
weather {place} {when2}
cheap flights {place} to {place}
# ---- nearest to a pointer: questions, answers and messages that belong elsewhere
what was the (last|first|final) question (asked |)(at|in) (Miss Universe 2018|the presidential debate|Jeopardy|the bar exam|the game show)?
what's the (right |correct |)answer to the (first|second|third|last) (question|item|number) (on|in) (the form|page 10|the worksheet|the driving exam|{doc} application)?
how should I answer the (first|last|second) question (on|in) (the visa form|a job interview|the survey|my {doc} application)?
(summarize|translate|reply to|explain) the (last|previous|first) (message|email|text|letter) (from|of) {person}: "{quoted}"
my previous (question|message|email) to ({person}|HR|support|the landlord) was ignored, (how do I follow up|should I send it again|what do I do)?
(two|three|five) (questions|items) (before|after) the end of the exam I ran out of time, (how do I manage time better|any tips)
what did I (say|tell|promise) to {person} (yesterday|last night) - I was drunk, how do I apologize?
what should I (say|answer) first when (they ask about|the interviewer asks about) {topicn}?
how many questions (are there|should I answer) in (the LET|the civil service exam|the bar exam|the SAT)?
(do|can) you (remember|save|keep|see) (my old chats|our conversations|previous conversations|what people tell you)?
how do I scroll back to the first message (on|in) (Messenger|WhatsApp|Telegram)?
(who|what) was mentioned first in the (Bible|constitution), {person3} or Adam?
the answer (I gave|he gave|she gave) in (the interview|class|court) was wrong, (can I correct it|what now)?
(she|he|my friend) asked me about {topicn@1} and I (couldn't answer|didn't know what to say), what (is|are) {topicn@1}?
(write|give me) (ten|five|20) questions about {topicn} (with answers|for a quiz|for {persons}|)
(rank|order) these from first to last: {place}, {place}, {place}
I (talked|spoke) (to|with) {person} (earlier|a while ago|this morning) about (moving to {place}|a raise|the {item}), (how do I|should I) (bring it up again|follow up|say no)?
when we talked about (marriage|money|kids|moving), {person} (got mad|went quiet|cried), what should I do?
the first answer on Google says {claim}, is it (true|right)?
the thing about {person} is that {claim}, (how do I deal with that|any advice)?
what was that (movie|song|book) about (a sinking ship|time travel|a lost fish|a boxer|talking toys) called?
I was told (earlier|yesterday|before) that {claim}, is (that|it) (true|right|correct)?
you only live once - who said that first?
as the saying goes, "{quoted}" - who said it first?
(I'll|let me) go first: my name is (Ana|Jun|Mark), (what's yours|nice to meet you)
""")

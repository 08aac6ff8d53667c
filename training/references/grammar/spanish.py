"""Spanish: how people point back at a turn of the conversation."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules
from training.references.grammar.language import Grammar
from training.references.grammar.spanish_fresh import FOLLOWUP_OBJECTS, FOLLOWUPS, FRESH_OBJECTS, NEGATIVES, VOCABULARY

RULES = (
    rules("""
p = pregunta / pregunta / consulta / duda / cuestión
r = respuesta / respuesta / contestación / explicación
pr = pregunta / respuesta / consulta / cosa
pregunte = pregunté / te pregunté / te he preguntado / te consulté / dije / te pedí / mencioné
dijiste = dijiste / me dijiste / has dicho / me has dicho / respondiste / me explicaste / contestaste / mencionaste / me recomendaste
charla = conversación / charla / chat / plática
pf = por favor / porfa / _ / _ / _ / gracias
puedes = puedes / podrías / me puedes / puedes por favor / quiero que / _
repite = repite / repíteme / vuelve a decirme / muéstrame otra vez / dime de nuevo / repíteme por favor / puedes repetir / podrías repetir / enséñame de nuevo / mándame otra vez
explica = explica / explícame / aclara / aclárame / puedes explicar / podrías explicarme / desarrolla / amplía
idioma = inglés / español / tagalo / francés / un español más simple / catalán
formato = una tabla / una lista / un correo / un PDF / un CSV / un resumen / un párrafo
seguir = cuánto era / estás seguro / qué querías decir / no lo entiendo / es verdad / hay otra forma / no funcionó / ya lo probé / qué sigue / por dónde empiezo / se puede cambiar / tengo una duda / por qué / cuánto tarda / me aplica a mí / puedes añadir algo más / de dónde sale eso
porque2 = se me olvidó / no lo entendí / cerré la ventana / lo necesito para el trabajo / no lo guardé / me lo pide mi jefe / no estaba atento / lo perdí
""")
    | VOCABULARY
)

TASKS = lines("""
{explica} {P} (con un ejemplo|paso a paso|otra vez|en palabras simples|mejor|) {pf}
(resume|resúmeme|acorta|puedes resumir|haz un resumen de) {P} (en una frase|en dos líneas|) {pf}
(traduce|tradúceme|puedes traducir|pasa) {P} (al|a) {idioma}
(pon|convierte|pasa) {P} en {formato}
(manda|envía|reenvía) {P} a (mi jefe|mi mamá|mi equipo|un cliente)
no (entiendo|entendí|me quedó claro) {P}
(revisa|comprueba|verifica|corrige) {P} {pf}
¿es (verdad|correcto|cierto|seguro) {P}?
(reescribe|mejora|cambia|simplifica) {P} {pf}
(guarda|exporta|copia|imprime|anota) {P} (como|en) {formato}
(dame|quiero) más (detalles|ejemplos|información) (de|sobre) {P}
¿qué significa {P}?
(borra|ignora|olvida|sáltate) {P}
(compara) {P} con (otra opción|lo que dice internet|la versión oficial)
¿por qué (es|fue) (así|tan largo|importante) {P}?
""")

RECALLS = lines("""
¿(cuál|qué) (era|fue) {P}?
{repite} {P} {pf}
{repite} {P}, {porque2}
(volvamos|vuelve|regresemos|volver|podemos volver|quiero volver|vamos de vuelta) a {P} {pf}
(sobre|respecto a|en cuanto a|acerca de) {P}, {seguir}
{P}
{P} {pf}
{P}, {seguir}
{P} (otra vez|de nuevo|por favor)
(me refiero|me refería) a {P}
no (esa|eso|ese), {P}
(perdón|espera|ay no|mejor dicho|quise decir), {P}
¿(recuerdas|te acuerdas de|tienes todavía) {P}?
(olvidé|se me olvidó|no encuentro|perdí) {P}
tengo (una duda|otra pregunta|una pregunta) sobre {P}
(contesta|responde|continúa|termina) {P} (otra vez|de nuevo|) {pf}
¿qué (respondiste|contestaste|dijiste) (a|en|sobre) {P}?
(según|de acuerdo con|con base en) {P}, {seguir}
¿es lo mismo que {P}?
(gracias|vale|ok|bueno), ahora {P}
(prefiero|me gustó|quiero|necesito) {P}
¿y {P}?
{porque2}, (puedes repetir|repite) {P}
recuérdame {P}
""")

ORDINAL = lines("""
la {start.nth_f} {p} que (te hice|hice|te mandé)
la {start.nth_f} {pr}
mi {start.nth_f} {p}
tu {start.nth_f} {r}
la {start.nth_f} cosa que (te |) (pregunté|dije|pedí)
lo {start.nth_m} que {pregunte}
lo {start.nth_m} que {dijiste}
la (pregunta|respuesta) (número|n.º|num) {start.card}
la {start.nth_f}
el número {start.card}
la #{start.digit}
la respuesta a (mi|la) {start.nth_f} pregunta
lo que (dijiste|respondiste) a (mi|la) {start.nth_f} pregunta
la {start.nth_f} y la {start.nth_f}
las (preguntas|respuestas) {start.digit} y {start.digit}
las {head.card} primeras (preguntas|respuestas|cosas que te pregunté)
las (últimas {tail.card}|{tail.card} últimas) (preguntas|respuestas)
las (preguntas|respuestas) {from.digit} a {to.digit}
<end=1>la última (pregunta|respuesta|cosa que te pregunté|cosa que dijiste|consulta)
<end=1>mi última {p}
<end=1>tu última {r}
<end=1>lo último que {pregunte}
<end=1>lo último que {dijiste}
<end=1>la última
<end=2>la penúltima (pregunta|respuesta|)
<end=2>mi penúltima pregunta
<end=3>la antepenúltima (pregunta|respuesta|)
la {end.nth_f} (empezando por|desde|contando desde) (el final|abajo|la última)
<end=1>la {start1.nth_f} y la última (pregunta|)
la {start.nth_f} de (mis preguntas|tus respuestas|las cosas que pregunté)
la {start.nth_f} pregunta (desde|contando desde) (el principio|arriba)
<one_of=1>(una|alguna) de (las|mis) primeras {head.card} preguntas
<one_of=1>{start.nth_f} o (la |){start.nth_f} (pregunta|)
<end=1>(lo último que (pregunté|dijiste)|la del final|la última de todas)
""")

ORDINAL_SENTENCES = lines("""
¿(cuál|qué) fue lo {start.nth_m} que {pregunte}?
¿cuál fue (mi|la) {start.nth_f} pregunta?
¿qué (respondiste|contestaste|dijiste) a (mi|la) {start.nth_f} (pregunta|duda)?
¿qué te pregunté {start1=primero}?
<end=1>¿qué fue lo último que {pregunte}?
<end=1>¿qué fue lo último que {dijiste}?
<end=1>¿cuál fue mi última pregunta?
la (primera|última|segunda) no, la {start.nth_f}
(compara|junta|combina) la {start.nth_f} y la {start.nth_f} respuesta
(resume|repite|traduce) las {tail.card} últimas (respuestas|preguntas)
(vuelve|ve|vamos) a la {start.nth_f} {pf}
de todas mis preguntas, (contesta|repite) la {start.nth_f}
""")

RELATIVE = lines("""
la (pregunta|respuesta) de hace {ago.card} (preguntas|mensajes|turnos|respuestas)
lo que (te pregunté|pregunté|dijiste|me dijiste) hace {ago.card} (preguntas|mensajes|turnos|respuestas)
lo de hace {ago.card} (preguntas|mensajes|turnos)
la de {ago.card} (preguntas|mensajes) (atrás|antes)
<ago=1>la (pregunta|respuesta|consulta) (anterior|previa)
<ago=1>mi (pregunta|consulta) (anterior|previa)
<ago=1>tu (respuesta|explicación) (anterior|previa)
<ago=1>(la anterior|lo anterior|la previa|la de arriba)
<ago=1>(la pregunta|lo que pregunté|la) (justo |) antes de (esta|esto)
<ago=2>la (pregunta |respuesta |) (anterior a la última|antes de la última|de antes de la última)
<ago=2>la (pregunta |) anterior a (esa|la anterior)
<offset=-1>la (pregunta |respuesta |) (justo |) (antes de|anterior a) la (pregunta sobre|de|pregunta de) {topic.np}
<offset=1>la (pregunta |respuesta |) (justo |) (después de|siguiente a|posterior a) la (pregunta sobre|de|pregunta de) {topic.np}
<offset=-1>lo que (te pregunté|hablamos|dijiste) (justo |) antes de (lo de|hablar de) {topic.np}
<offset=1>lo que (te pregunté|hablamos|dijiste) (justo |) después de (lo de|hablar de) {topic.np}
<offset=1>la (pregunta |) (siguiente a|que siguió a|después de) la {start.nth_f}
<offset=-1>la (pregunta |) (anterior a|antes de) la {start.nth_f}
{before.card} preguntas antes de (lo de|la de) {topic.np}
""")

RELATIVE_SENTENCES = lines("""
¿qué (te pregunté|pregunté|dije) hace {ago.card} (preguntas|mensajes|turnos)?
¿qué (dijiste|me respondiste|contestaste) hace {ago.card} (preguntas|mensajes|respuestas)?
(vuelve|retrocede|regresa|volvamos) {ago.card} (preguntas|mensajes|turnos) (atrás|) {pf}
<ago=1>(vuelve|volvamos|regresa) a (la anterior|lo anterior|la pregunta anterior)
<ago=1>¿cuál (era|fue) (mi|la) pregunta anterior?
<ago=1>¿qué (te pregunté|dijiste) antes de esto?
<ago=2>¿qué (te pregunté|pregunté) antes de (eso|la última|esa)?
<ago=2>¿y la (de antes|anterior a esa)?
<offset=-1>¿qué (te pregunté|estábamos hablando|me dijiste) (justo |) antes de (lo de|la pregunta de) {topic.np}?
<offset=1>¿qué (te pregunté|me dijiste|vino) (justo |) después de (lo de|la pregunta de) {topic.np}?
<offset=1>después de lo de {topic.np}, ¿qué te pregunté?
hace {ago.card} (preguntas|mensajes|turnos) (dijiste|me dijiste) algo, {seguir}
""")

TEMPORAL = lines("""
<time=just_now>lo que (acabas de decir|acabas de decirme|acabas de explicar|me acabas de decir|dijiste recién|dijiste hace un momento|dijiste ahora mismo|recién dijiste|dijiste hace un segundo)
<time=just_now>lo que (acabo de preguntar|acabo de decir|te acabo de preguntar|te pregunté recién|pregunté hace un momento)
<time=just_now>(tu respuesta|la respuesta|la explicación) (de recién|de hace un momento|de ahora mismo|que acabas de dar)
<time=just_now>lo de (recién|hace un momento|ahora mismo|hace un segundo)
<time=earlier>lo que (dijiste|me dijiste|explicaste|mencionaste|me contaste|respondiste) (antes|hace rato|hace un rato|anteriormente|más temprano|más arriba)
<time=earlier>lo que (te pregunté|pregunté|dije|mencioné) (antes|hace rato|hace un rato|anteriormente|más temprano)
<time=earlier>lo de (antes|hace rato|hace un rato)
<time=earlier>lo que (hablamos|hablábamos|comentamos|estábamos hablando|vimos) (antes|hace rato|hace un rato)
<time=opening>lo que (te pregunté|dije|hablamos|me dijiste) (al principio|al inicio|al comienzo|cuando empezamos|cuando abrí el chat|al empezar la {charla}|al inicio de la {charla})
<time=opening>el (principio|inicio|comienzo) de (la|nuestra|esta) {charla}
<time=opening>(lo del principio|la pregunta del principio|la pregunta con la que empecé|lo del inicio)
""")

TEMPORAL_SENTENCES = lines("""
<time=just_now>¿qué acabas de (decir|decirme|explicar)?
<time=just_now>¿qué (dijiste recién|me dijiste hace un momento|acabo de preguntar|dijiste ahora mismo)?
<time=just_now>(espera|perdón|cómo), ¿qué acabas de decir?
<time=just_now>no (entendí|leí|capté) lo que acabas de (decir|escribir|explicar)
<time=just_now>acabas de decir que (sí|no|es gratis|no se puede), {seguir}
<time=earlier>¿qué (dijiste|me dijiste|te pregunté|pregunté|estábamos diciendo) (antes|hace rato|hace un rato)?
<time=earlier>¿de qué (hablábamos|estábamos hablando|hablamos) (antes|hace rato|hace un rato)?
<time=earlier>(volvamos|regresemos|vuelve) a lo (de antes|que hablábamos|que decías antes|de hace rato)
<time=earlier>(antes|hace rato|hace un rato) (dijiste|mencionaste|me diste) (algo|un dato|un número), {seguir}
<time=earlier>(antes|hace rato) te pregunté algo, ¿qué (era|fue|respondiste)?
<time=earlier>como (dije|dijiste|te dije) antes, {seguir}
<time=earlier>eso no es lo que dijiste antes
<time=earlier>(sigamos|continuemos) donde lo dejamos
<time=opening>¿(cómo|con qué) (empezó|empezamos|comenzó) (esta |la |) {charla}?
<time=opening>¿qué (te pregunté|dije|quería) (al principio|al inicio|cuando abrí este chat|cuando empezamos)?
<time=opening>(volvamos|vuelve|regresemos) (al principio|al inicio|a donde empezamos|al comienzo)
""")

TOPIC = lines("""
lo de {topic.np}
la (pregunta|respuesta|parte|duda|explicación) (sobre|de|acerca de) {topic.np}
lo que (dijiste|me dijiste|explicaste|recomendaste|mencionaste|comentaste) (antes sobre|sobre|de|acerca de) {topic.np}
lo que (te pregunté|pregunté|dije|hablamos) (antes sobre|sobre|de|acerca de) {topic.np}
mi pregunta (sobre|de|acerca de) {topic.np}
tu (respuesta|consejo|explicación|recomendación) (sobre|de|acerca de) {topic.np}
la parte donde (mencionaste|hablaste de|explicaste) {topic.np}
eso (de|que dijiste de|que mencionaste de|que comentamos de) {topic.np}
lo de {topic.gerund}
donde dijiste que {topic.clause}
""")

TOPIC_SENTENCES = lines("""
¿qué (dijiste|me dijiste|recomendaste|comentaste|era lo que dijiste) (antes sobre|sobre|de|acerca de) {topic.np}?
¿qué (hablamos|dijimos|decidimos|te pregunté) (sobre|de|acerca de) {topic.np}?
¿cómo era lo de {topic.np}?
(volvamos|regresemos|vuelve|volviendo|volver) a (lo de|el tema de) {topic.np}
volviendo a {topic.np}, {seguir}
(recuérdame|me recuerdas) (lo de|qué dijiste de|qué hablamos de) {topic.np}
(antes|hace rato) (mencionaste|hablaste de|dijiste algo de|hablamos de) {topic.np}, {seguir}
mencionaste {topic.np}, {seguir}
(repite|repíteme|explícame otra vez) (lo de|la parte de|lo que dijiste de) {topic.np} {pf}
cuando te pregunté (por|sobre) {topic.np}, ¿qué (dijiste|respondiste)?
dijiste que {topic.clause}, ¿(verdad|estás seguro|por qué|no)?
¿por qué dijiste que {topic.clause}?
¿no (dijiste|mencionaste) algo (de|sobre) {topic.np}?
{porque2} lo que dijiste (de|sobre) {topic.np}
(lo|eso) de {topic.np} (otra vez|de nuevo|que dijiste|de antes)
¿dónde (está|quedó) (la respuesta|lo) (de|sobre) {topic.np}?
(sobre|en cuanto a) lo de {topic.np} (de antes|que dijiste|que te pregunté), {seguir}
¿(cuál era|qué decías de|qué pasaba con) {topic.np} (de antes|que mencionaste|que me recomendaste)?
¿(cuánto|dónde|cuándo|cómo) dijiste que (era|estaba|costaba) (lo de |) {topic.np}?
(pensé|creí) que (dijiste|habías dicho) que {topic.clause}
según (tú|tu respuesta|lo que dijiste), {topic.clause}, {seguir}
no (terminamos|acabamos) (lo|el tema) de {topic.np}
(recomendaste|sugeriste) {topic.np} (antes|hace rato|), {seguir}
""")

FRESH_OPENERS = lines("""
última pregunta,
una última cosa,
primera pregunta:
primero,
segunda pregunta:
siguiente pregunta,
otra pregunta,
otro tema,
cambiando de tema,
antes de que se me olvide,
por último,
""")

OPENERS = lines("""
hola,
buenas,
buenos días,
buenas tardes,
oye,
oiga,
disculpa,
perdón,
espera,
bueno,
vale,
ok,
gracias.
una pregunta,
por cierto,
mira,
amigo,
eh,
pues
ah,
una cosa más,
por favor,
""")

CLOSERS = lines("""
por favor
porfa
gracias
muchas gracias
jaja
😅
🙏
😊
...
, es urgente
, tengo prisa
, si puedes
, amigo
""")

GRAMMAR = Grammar(
    lang="es",
    rules=RULES,
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

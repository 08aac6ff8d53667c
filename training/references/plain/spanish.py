"""Spanish plain mentions."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

RULES = rules("""
sigue = cuánto tarda / hay algo más barato / se puede por internet / qué más necesito / es gratis / con quién hablo / cómo empiezo / vale la pena / es obligatorio / hazlo más corto / dame un ejemplo
q5 = qué / cuánto / cuándo / dónde / quién / cuál / cómo
""")

SURE = lines("""
¿{q5} era (lo de |) {topic.np} (otra vez|ya|)?
recuérdame (lo de |) {topic.np}
(volvamos|volviendo|regresemos) a (lo de |) {topic.np}(, {sigue}|)
(se me olvidó|olvidé|ya no recuerdo) (lo de |) {topic.np}
lo de {topic.np} (otra vez|de antes|que me diste|que hiciste)(, {sigue}|)
¿en qué quedamos con {topic.np}?
¿cuál era (el precio|el nombre|el motivo|la respuesta) de {topic.np}?
""")

OPEN = lines("""
sobre {topic.np}, ¿{sigue}?
lo de {topic.np}, ¿{sigue}?
(y |) {topic.np}, ¿{sigue}?
cuéntame más sobre {topic.np}
""")

ORDINAL = lines("""
<end=1>(la|tu|mi) (última|más reciente) (respuesta|pregunta) (otra vez|por favor|)
<start=1>(lo|mi|la) primero (que pregunté|que te dije|de todo)
""")

RELATIVE = lines("""
<offset=-1>¿qué (pregunté|vimos) (justo |) antes de {topic.np}?
<offset=1>¿qué (pregunté|vimos) (justo |) después de {topic.np}?
""")

TEMPORAL = lines("""
<time=earlier>lo de (antes|hace rato|hace un rato) (otra vez|)
<time=just_now>lo que (acabas de decir|me acabas de explicar)
""")

NEGATIVES = lines("""
(perdí|se me olvidó) (la cartera|la contraseña|la llave), ¿qué hago?
(sobre|con) mi (visa|trabajo|hijo|coche), ¿qué debo hacer?
""")

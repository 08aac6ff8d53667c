"""Spanish: words for slots, follow-ups that lean on the last answer, and fresh requests."""

from __future__ import annotations

from training.references.grammar.compose import lines, rules

VOCABULARY = rules("""
said_clause = (hace|no hace) falta (el |un |) {documento} / (es|no es) (gratis|seguro|obligatorio|caro) / tarda (dos|tres|cinco) (días|semanas|meses) / cuesta (veinte|cien|cincuenta) euros / (se puede|no se puede) (viajar a {lugar}|comer {plato}|devolver el {aparato}) / cierran {cuando2} / es mejor {cuando2} / lo primero es llamar / el último día es el viernes / el {aparato} necesita reparación / ayuda con la {dolencia}
lugar = Madrid / México / Manila / Barcelona / Argentina / Japón / Alemania / Perú / Bogotá / Chile / Canadá / Lima / Francia / Sevilla
persona = mi mamá / mi jefe / mi hijo / mi novia / mi profesor / mi vecino / mi hermana / mi abuela / mi marido / mi casero
gente = niños / embarazadas / estudiantes / principiantes / mayores / extranjeros / diabéticos / menores
cuando2 = mañana / esta noche / la semana que viene / el domingo / en verano / por la noche / en Navidad / el viernes
aparato = celular / portátil / coche / televisor / reloj / horno / router / ventilador / aire acondicionado
plato = paella / tortilla / adobo / tacos / arroz con leche / ceviche / empanadas / lentejas / flan
documento = pasaporte / carnet de conducir / visado / DNI / partida de nacimiento / certificado
tema = la fotosíntesis / la inflación / el ciclo del agua / la diabetes / el interés compuesto / la Guerra Civil / el cambio climático
dolencia = fiebre / dolor de cabeza / tos / dolor de espalda / gripe / acidez / dolor de muelas
famoso = Cervantes / Rizal / Bolívar / Einstein / Frida Kahlo / Messi / Colón / Shakira
fallo = no enciende / se calienta mucho / va muy lento / no carga / hace ruido / pierde agua
antes2 = ayer / hace dos semanas / el mes pasado / hace tres días / anoche / esta mañana / hace un año / hace una hora
cita = Feliz cumpleaños / Nos vemos mañana / Te quiero / Gracias por la ayuda de antes / Hasta la próxima / Lo prometido es deuda
""")

FOLLOWUP_OBJECTS = {"P": "(eso|esto|eso|lo que has dicho|tu respuesta|la respuesta|todo eso)"}

FRESH_OBJECTS = lines("""
{tema}
la diferencia entre {tema} y {tema}
el primer capítulo del Quijote
el último capítulo de la serie
la segunda ley de Newton
la vida de {famoso}
la historia de {lugar}
la frase "{cita}"
el mensaje "{cita}"
la última carta de {famoso}
la primera guerra mundial
mi última factura de la luz
el correo anterior de mi jefe
la receta de {plato}
lo que dijo el médico ayer
la última pregunta del examen de ayer
""")

FOLLOWUPS = lines("""
¿(y |)(por qué|por qué no|por qué es así)?
¿y (en|qué tal en|qué pasa en) {lugar}?
¿y (para|con) (los |) {gente}?
¿y {cuando2}?
¿y si (llueve|no tengo dinero|llego tarde|es de noche|estoy en {lugar}|no funciona|no tengo visado|somos dos)?
¿(cuánto|cuándo|dónde|cómo|quién|cuál)?
¿cuánto (cuesta|tarda|dura|pesa|sería) (eso|en euros|en total|)?
¿es (seguro|legal|caro|gratis|normal|peligroso) (para {gente}|en {lugar}|)?
¿(estás|está) seguro?
¿(de verdad|en serio|seguro)?
¿(cuál|qué) es (mejor|más barato|más rápido|lo más seguro)?
¿(hay|tienes) (otros|más|otra opción|alternativas|ejemplos)?
¿(algo|alguna cosa) más?
(dame|quiero) (más|otro|otro ejemplo|más ejemplos|más detalles)
(hazlo|que sea) más (corto|largo|simple|formal|claro) {pf}
(tradúcelo|pásalo|ponlo) (al|a) {idioma}
más (corto|simple|formal|detalles) {pf}
no (entiendo|lo entiendo|entendí)
¿qué (significa|quieres decir con) eso?
¿y (luego|después|entonces) qué?
¿qué (hago|sigue|viene) (después|ahora|luego)?
¿(lo|la) puedo (usar|pagar|cambiar|comer|hacer) (en línea|{cuando2}|gratis|sin azúcar|después)?
¿dónde (lo|la) (compro|consigo|encuentro)?
¿(quién|qué) (era|es) (él|ella|ese)?
¿(cuándo|dónde) (nació|murió|empezó|fue)?
¿necesito (eso|uno|pagarlo|llevarlo)?
¿a qué hora (abren|cierran|empieza)?
(ya lo probé|lo intenté) y no (funciona|sirve), ¿(qué hago|y ahora)?
(sí|no|vale), (hazlo|continúa|sigue|el otro)
¿(por ejemplo|como qué|como cuál)?
¿y el (precio|plazo|costo|horario)?
¿sirve (también |) (para|en) ({gente}|{lugar})?
""")

NEGATIVES = lines("""
¿quién fue el (primer|segundo|último|tercer) (presidente|rey|hombre en la luna|emperador|ministro) (de {lugar}|)?
¿cuál es la (segunda|tercera) (ciudad|montaña|isla) más (grande|alta|poblada) (de {lugar}|del mundo)?
¿cuándo (sale|es|pasa) el último (tren|bus|vuelo|metro) (a|desde) {lugar}?
¿cuándo fue la última (vez que llovió en {lugar}|Copa del Mundo|erupción|crisis)?
primeros auxilios para {dolencia}
es mi primera vez en {lugar}, ¿qué (visito|llevo|debo saber)?
¿qué (hago|debo hacer) primero si (pierdo mi {documento}|mi {aparato} {fallo}|hay un terremoto)?
{antes2} compré un {aparato} y {fallo}, ¿(lo puedo devolver|qué hago|tiene garantía)?
{antes2} (tuve {dolencia}|perdí mi {documento}|discutí con {persona}), ¿qué hago?
¿qué (debo comer|debo hacer|llevo|reviso) antes de (un vuelo|dormir|una entrevista|comprar un {aparato}|un análisis de sangre)?
mi (anterior|antiguo|último) (jefe|casero|empleo) no me da el {documento}, ¿es legal?
({persona}|el médico|mi profesora) (dijo|me dijo|me preguntó) (antes|ayer|) que el café es malo, ¿es cierto?
la última pregunta (del examen|de la entrevista) era sobre {tema@1}, ¿qué es {tema@1}?
¿cómo (vuelvo|regreso) (a {lugar} desde {lugar}|a casa|al trabajo después de una baja)?
recuérdame (llamar a {persona}|pagar la luz|ir al dentista) (otra vez |) {cuando2}
mi {aparato} {fallo} otra vez, ¿cómo lo arreglo?
¿cuáles fueron las últimas palabras de {famoso}?
¿qué dijo {famoso} (sobre la libertad|en su primer discurso|antes de morir)?
¿qué fue primero, el huevo o la gallina?
tengo dos ofertas, una en {lugar} y otra en {lugar}; ¿es mejor la primera?
¿cómo se obtiene el (primer|último) elemento de una lista en Python?
¿cómo (restauro|vuelvo a) la versión anterior de (Windows|mi documento|la app)?
¿cuánto dura (la gripe|un tatuaje|el jet lag|la batería)?
¿cómo se (hace|prepara|cocina) (la |el |) {plato}?
¿qué (necesito|requisitos hay) para (sacar|renovar) el {documento}?
¿qué es {tema}?
¿quién (es|fue) {famoso}?
¿qué es bueno para (la |el |) {dolencia}?
mi {aparato} {fallo}, ¿qué hago?
¿qué tiempo hace en {lugar} {cuando2}?
¿cuánto cuesta un {aparato} (en {lugar}|)?
(escribe|hazme) (un poema|una carta|un mensaje) para {persona}
¿cómo se dice "{cita}" en {idioma}?
¿qué significa "{cita}"?
(hola|buenos días|buenas tardes|buenas|qué tal)
(gracias|muchas gracias) (otra vez|por tu ayuda|por lo de antes|)
(adiós|hasta luego|hasta mañana|nos vemos)
(estoy|me siento) (cansado|triste|aburrido|estresado) (hoy|otra vez|últimamente)
recomiéndame (una película|un libro|un restaurante en {lugar}|un regalo para {persona})
¿a qué distancia está {lugar} de {lugar}?
¿es bueno para {gente} (comer {plato}|viajar a {lugar}|tomar café)?
¿por qué (es azul el cielo|sueñan los gatos|sube la luz|tengo {dolencia})?
¿qué (es|son) {topic.np}?
pon una alarma para {cuando2}
¿cuál es la capital de {lugar}?
¿cuál fue la última pregunta (de Miss Universo|del debate|del concurso)?
¿cómo respondo la (primera|última|segunda) pregunta (de una entrevista|del formulario|del examen)?
(traduce|resume|contesta) el último mensaje de {persona}: "{cita}"
mi pregunta anterior al profesor no fue contestada, ¿(insisto|qué hago)?
(haz|dame) (cinco|diez) preguntas sobre {tema}
hablé con {persona} antes y se enojó, ¿qué hago?
¿(recuerdas|guardas) las conversaciones (de la gente|antiguas)?
""")

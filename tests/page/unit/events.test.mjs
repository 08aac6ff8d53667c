import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader, eventOf } from "../../../src/gunita/server/page/events.js";

const WHOLE = 'event: started\ndata: {"turn_number":1}\nid: 1\n\n: keepalive\n\nevent: delta\ndata: {"text":"Sa unang\\ntanong"}\nid: 2\n\n';

test("events come out the same wherever the stream is cut", () => {
  const expected = new EventReader().read(WHOLE);
  assert.deepEqual(expected.map((event) => [event.name, event.id]), [["started", 1], ["delta", 2]]);
  for (let place = 0; place <= WHOLE.length; place += 1) {
    const reader = new EventReader();
    assert.deepEqual([...reader.read(WHOLE.slice(0, place)), ...reader.read(WHOLE.slice(place))], expected);
  }
});

test("a comment is no event", () => {
  assert.equal(eventOf(": keepalive"), null);
});

test("lines of data are joined, and an event without a name is a message", () => {
  assert.deepEqual(eventOf("data: [1,\ndata: 2]"), { name: "message", data: [1, 2], id: 0 });
});

test("line ends of any kind are understood", () => {
  assert.equal(new EventReader().read('event: delta\r\ndata: {"text":"x"}\r\nid: 3\r\n\r\n')[0].id, 3);
});

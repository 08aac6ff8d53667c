/** What the service says, as the page uses it. */

export type Intent = "new" | "followup" | "reference" | "clarification";

export interface Said {
  id: string;
  content: string;
  created_at: string;
}

export interface Choice {
  turn_number: number;
  label: string;
  place: string;
}

export interface TurnNotes {
  intent?: Intent;
  kind?: string;
  confidence?: number;
  references?: number[];
  receipt_id?: string;
  choices?: Choice[];
  interrupted?: boolean;
  warnings?: string[];
  repeated?: boolean;
}

export interface ShownTurn {
  turn_number: number;
  query: Said | null;
  response: Said | null;
  metadata: TurnNotes;
}

export interface TranscriptPage {
  items: ShownTurn[];
  has_earlier: boolean;
  has_later: boolean;
}

export interface ChatReply {
  query: string;
  message: string;
  intent: Intent;
  confidence: number;
  session_id: string;
  turn_number: number;
  metadata: TurnNotes;
  error: string | null;
}

export interface Conversation {
  id: string;
  user_id: string;
  title: string | null;
  created_at: string;
  updated_at: string;
  archived: boolean;
  pinned: boolean;
  message_count: number;
  turn_count: number;
  token_count: number;
}

export type MemoryType = "fact" | "preference" | "entity" | "project" | "decision";

export interface Memory {
  id: string;
  memory_type: MemoryType;
  category: string | null;
  content: string;
  source_conversation_id: string | null;
  source_message_id: string | null;
  created_at: string;
  access_count: number;
  pinned: boolean;
  archived: boolean;
  confidence: number;
}

export interface Belief {
  id: string;
  content: string;
  believed_from: string;
  believed_until: string;
  reason: string;
}

export interface MemorySource {
  conversation_id: string | null;
  conversation_title: string | null;
  turn_number: number | null;
}

export interface Progress {
  state: "waiting" | "working" | "done";
  messages_waiting: number;
  messages_read: number;
  learnt: number;
  last_error: string | null;
}

export interface SnippetPart {
  text: string;
  match: boolean;
}

export interface Found {
  conversation: Conversation;
  score: number;
  snippet: SnippetPart[];
  turn_number: number | null;
}

export interface ReceiptLine {
  kind: string;
  source: string;
  turn_number: number | null;
  tokens: number;
  whole_tokens: number;
  fate: "kept" | "cut" | "left_out";
  reason: string;
}

export interface Receipt {
  id: string;
  conversation_id: string | null;
  turn_number: number | null;
  created_at: string;
  body: {
    context_tokens: number;
    reserve_tokens: number;
    framing_tokens: number;
    prompt_tokens: number;
    tokens_by_kind: Record<string, number>;
    lines: ReceiptLine[];
  };
}

export interface Counted {
  name: string;
  count: number;
}

export interface Insights {
  counts: { conversations: number; turns: number; messages: number; memories: number; corrections: number };
  days: { day: string; turns: number; conversations: number }[];
  sizes: { least: number; most: number | null; conversations: number }[];
  topics: Counted[];
  intents: Counted[];
  reference_kinds: Counted[];
  clarification_rate: number | null;
  characters: number;
  answers_read: number;
  retention_hours: number;
}

export interface About {
  user_id: string | null;
  tenant_id: string | null;
  model: string | null;
  version: string;
  retention_hours: number;
}

export interface Page<Item> {
  items: Item[];
  limit: number;
  offset: number;
  next_offset: number | null;
}

/** An answer on its way, or one that did not arrive. */
export interface Answer {
  conversationId: string;
  requestId: string;
  query: string;
  choice: number | null;
  askedAt: string;
  turnNumber: number | null;
  text: string;
  intent: Intent | null;
  confidence: number | null;
  lastEvent: number;
  phase: "sending" | "speaking" | "reconnecting" | "stopping" | "failed" | "lost";
  problem: string | null;
}

/** A turn as the thread shows it: stored, on its way, or not sent. */
export interface ThreadItem {
  key: string;
  turnNumber: number | null;
  query: string | null;
  askedAt: string | null;
  response: string | null;
  answeredAt: string | null;
  notes: TurnNotes;
  answer: Answer | null;
}

export type Save = { state: "unsaved" | "saving" | "saved"; turn: ShownTurn };

export type Route =
  | { view: "conversation"; id: string | null; turn: number | null }
  | { view: "insights" };

export type Drawer = { kind: "memories" } | { kind: "receipt"; conversationId: string; turnNumber: number } | null;

export interface Toast {
  id: number;
  text: string;
  action: { label: string; run: () => void } | null;
}

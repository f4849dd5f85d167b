import type { DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import type { AssistantReply, Naming } from '#shared/domain/collaboration/replies/block.ts';

/** Names in a text. */
export const MOST_NAMES = 200;

type Row = DaySection['rows'][number];

/** Wherever the text has the name, unless that is part of another name. */
function* placesOf({ type, id, name }: Row, text: string, known: Naming[]): Generator<Naming> {
  const wanted = name?.trim();
  if (!wanted) return;
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
    const to = from + wanted.length;
    if (!known.some((other) => from < other.to && other.from < to)) yield { from, to, ref: { type, id } };
  }
}

/**
 * The reply with the names that its text has without a reference: a record that is hidden later must not be named there.
 * Longer names go first, which may contain shorter ones.
 */
export function withPlainNames(reply: AssistantReply, sections: DaySection[]): AssistantReply {
  const { text, names = [] } = reply;
  const found = [...names];
  const rows = sections.flatMap((section) => section.rows);
  for (const row of rows.toSorted((a, b) => (b.name?.length ?? 0) - (a.name?.length ?? 0)))
    found.push(...placesOf(row, text ?? '', [...found]));
  return upToMost({ ...reply, names: found.sort((a, b) => a.from - b.from) });
}

/** The text ends before one name more: each may become longer than it is. */
function upToMost({ text, names = [], ...reply }: AssistantReply): AssistantReply {
  const end = names[MOST_NAMES]?.from;
  if (text === null || end === undefined) return { ...reply, text, names };
  const cut = `${text.slice(0, end)}…`;
  return { ...reply, text: cut, blocks: [{ type: 'text', text: cut }], names: names.slice(0, MOST_NAMES) };
}

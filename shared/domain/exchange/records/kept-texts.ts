import { inOneCell } from './written-values.ts';

/** Texts keep the white space around them, cells do not: a row that says nothing else leaves them as they are. */

interface Own {
  description: string | null;
  /** As JSON. */
  custom_fields: string;
}

interface Sent {
  description?: string | null | undefined;
  custom_fields?: Record<string, unknown> | null | undefined;
}

/** A value as exports write it. */
const cellOf = (value: unknown): string =>
  (Array.isArray(value) ? inOneCell(value) : String(value ?? '')).trim();

const isSame = (own: unknown, sent: unknown) => cellOf(own) === cellOf(sent);

/** What a row sends without the texts that the record has. */
export function withoutKeptTexts<Draft extends Sent>(own: Own, draft: Draft): Draft {
  const { description, custom_fields, ...rest } = draft;
  const values = new Map<string, unknown>(Object.entries(JSON.parse(own.custom_fields)));
  const changed = Object.entries(custom_fields ?? {}).filter(
    ([key, value]) => !isSame(values.get(key), value),
  );
  return {
    ...rest,
    ...(description === undefined || isSame(own.description, description) ? {} : { description }),
    ...(changed.length === 0 ? {} : { custom_fields: Object.fromEntries(changed) }),
  } as Draft;
}

import type { Body } from './api.ts';
import { type Child, h } from './dom.ts';
import { placeOfRecord } from './place.ts';
import type { Row } from './rows.ts';

/** How a kind of records is listed, and what is shown of one. */

/** What all details share. */
export interface Shown {
  name: string;
  facts: [name: string, value: Child | Child[]][];
  text?: string | null;
  /** Sanitized by the API, in place of the text. */
  html?: string | null;
  tags?: { name: string; color: string | null }[] | null;
  tasks?: { id: string; name: string; status: string }[] | null;
  /** Null where they are read apart. */
  comments?: Body<'listComments'>['comments'] | null;
}

type Item = Omit<Row, 'href'>;

export interface RecordKind<Listed extends { id: string } = { id: string }, One = unknown> {
  title: string;
  letter: string;
  slices: Record<string, string>;
  read(id: string): Promise<One>;
  row(record: Listed): Item;
  show(record: One): Shown;
  /** Tasks have none. */
  comments: boolean;
}

/** A link to a record, where the page shows its type. */
export const link = (type: string, id: string | null | undefined, label: string): Child => {
  const href = placeOfRecord(type, id);
  return href ? h('a', { href }, label) : label;
};

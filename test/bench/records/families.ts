import type { Table } from '#shared/table/table.ts';
import { type Asked, asking, type List } from './asking.ts';
import type { Place, Query, RecordCase } from './cases.ts';
import { contacts } from './contacts.ts';
import { type Copied, givenCopies, type Stored } from './copies.ts';
import { deals } from './deals.ts';
import { files } from './files.ts';
import { organizations } from './organizations.ts';
import { tasks } from './tasks.ts';

/** Families of records in the account, and what is asked of their lists. */

export interface Family {
  name: string;
  /** Of the number of contacts. */
  share: number;
  /** Of all but contacts, which are there first. */
  copied?: Copied<Stored>;
  list: List;
  pages: Asked[];
  /** Outside of the budgets. */
  hard: Asked[];
  /** Pages after so many records. */
  depths: number[];
  count?(place: Place, query: Query): Promise<number>;
  counts?: Asked[];
}

export const families: readonly Family[] = [contacts, organizations, deals, tasks, files];

/** How many items were written. */
export const givenFamily = async (table: Table, place: Place, { copied }: Family): Promise<number> =>
  copied ? givenCopies(table, place, copied) : 0;

export const pagesOf = ({ list }: Family, asked: Asked[]): RecordCase[] => asked.map(asking(list));

export const countsOf = ({ count, counts = [] }: Family): RecordCase[] =>
  count ? counts.map(([name, query]) => ({ name, ask: (place) => count(place, query(place)) })) : [];

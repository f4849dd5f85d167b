import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { RecordKinds, RecordRef, SeesRecords, VisibleRecord } from './kind.ts';
import { findVisible } from './registry.ts';

/** Records that others are linked to (docs/specification/records.md, "Visibility"). */

/** The linked records as the caller sees them; each is read once. */
export class LinkedRecords {
  readonly #ctx: CallerContext<SeesRecords>;
  readonly #read = new Map<string, Promise<VisibleRecord | undefined>>();

  constructor(ctx: CallerContext<SeesRecords>) {
    this.#ctx = ctx;
  }

  /** Undefined for one that does not exist or is hidden, also of a type that has no records. */
  find(ref: RecordRef): Promise<VisibleRecord | undefined> {
    const key = `${ref.type} ${ref.id}`;
    const reading = this.#read.get(key) ?? findVisible(this.#ctx, ref);
    this.#read.set(key, reading);
    return reading;
  }

  async seesAny(refs: RecordRef[]): Promise<boolean> {
    return (await Promise.all(refs.map((ref) => this.find(ref)))).some((record) => record !== undefined);
  }

  /** 404 `record_not_found` when one is not visible. */
  async requireAll(refs: RecordRef[]): Promise<VisibleRecord[]> {
    const records = await Promise.all(refs.map((ref) => this.find(ref)));
    return records.map((record) => {
      if (!record) throw recordNotFound();
      return record;
    });
  }

  /** The same, for records that become linked. */
  async requireKept(refs: RecordRef[]): Promise<VisibleRecord[]> {
    const records = await this.requireAll(refs);
    const { ports } = this.#ctx;
    await Promise.all(refs.map(({ type, id }) => ports.records[type]?.keep?.(this.#ctx, id)));
    return records;
  }
}

/** Whose lists have what is linked to these records. */
export async function audienceOf(table: Table, kinds: RecordKinds, refs: RecordRef[]): Promise<string[]> {
  const owners = await Promise.all(refs.map(({ type, id }) => kinds[type]?.audience?.(table, id) ?? []));
  return [...new Set(owners.flat())];
}

import { foldName } from '#shared/folding.ts';
import type { Key } from '#shared/table/keys.ts';
import {
  asRead,
  either,
  exactly,
  type Item,
  missing,
  type Refusal,
  type Table,
  type Write,
  when,
} from '#shared/table/table.ts';

/** An item of its own reserves the name, so that of two records that take it at once the table refuses one. */
type NameHolder = Item & { holder_id: string };

/**
 * Names that are unique among the records of an account. They are compared as folded by `fold`, by default without
 * case.
 */
export class UniqueNames {
  readonly #key: (account_id: string, folded: string) => Key;
  readonly #taken: Refusal;
  readonly #fold: (name: string) => string;

  /** `taken` is the error of a write that takes the name of another record. */
  constructor(
    key: (account_id: string, folded: string) => Key,
    taken: Refusal,
    fold: (name: string) => string = foldName,
  ) {
    this.#key = key;
    this.#taken = taken;
    this.#fold = fold;
  }

  #keyOf(account_id: string, name: string): Key {
    return this.#key(account_id, this.#fold(name));
  }

  /** Fails when another record has the name: reading again finds that record. */
  hold(account_id: string, name: string, id: string): Write {
    const holder: NameHolder = { ...this.#keyOf(account_id, name), holder_id: id };
    return { put: holder, when: when<NameHolder>({ holder_id: either(missing, exactly(id)) }) };
  }

  /** The same, but refuses the name of another record with `taken`. */
  take(account_id: string, name: string, id: string): Write {
    return { ...this.hold(account_id, name, id), otherwise: this.#taken };
  }

  /** Fails when the record no longer has the name. */
  free(account_id: string, name: string, id: string): Write {
    return { delete: this.#keyOf(account_id, name), when: when<NameHolder>({ holder_id: id }) };
  }

  /** Fails when the name is no longer as it was read: without a holder, or with this one. */
  asRead(account_id: string, name: string, holder_id: string | undefined): Write {
    return { check: this.#keyOf(account_id, name), when: when<NameHolder>({ holder_id: asRead(holder_id) }) };
  }

  /** Gives the name of one record to another. Fails when the first one no longer has it. */
  pass(account_id: string, name: string, { from, to }: { from: string; to: string }): Write {
    const holder: NameHolder = { ...this.#keyOf(account_id, name), holder_id: to };
    return { put: holder, when: when<NameHolder>({ holder_id: from }) };
  }

  /** `null` is no name. No writes when both fold to the same name. */
  change(account_id: string, id: string, { from, to }: { from: string | null; to: string | null }): Write[] {
    if (from !== null && to !== null && this.#fold(from) === this.#fold(to)) return [];
    return [
      ...(to === null ? [] : [this.take(account_id, to, id)]),
      ...(from === null ? [] : [this.free(account_id, from, id)]),
    ];
  }

  /** The ids of the records with these names, by name as given. */
  async find(table: Table, account_id: string, names: string[]): Promise<Map<string, string>> {
    const keyOf = (name: string) => this.#keyOf(account_id, name);
    const holders = await table.getMany<NameHolder>(names.map(keyOf));
    const ids = new Map(holders.map(({ SK, holder_id }) => [SK, holder_id]));
    return new Map(
      names.flatMap((name) => {
        const id = ids.get(keyOf(name).SK);
        return id === undefined ? [] : [[name, id] as const];
      }),
    );
  }
}

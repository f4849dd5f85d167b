import { singular } from '#shared/domain/collaboration/records/types.ts';
import { invalidField } from '#shared/errors.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { below, either, type Item, missing, update, type Write } from '#shared/table/table.ts';

/** How many records of a type an account has, whoever sees them. */
export type RecordCount = Item & { record_count?: number };

/** How many records of a type an account may have, for types whose list is returned whole. */
export class RecordLimit {
  readonly most: number;
  readonly #type: RecordType;

  constructor(type: RecordType, most: number) {
    this.#type = type;
    this.most = most;
  }

  /** Comes with a new record. 400 when the account has the maximum number of them. */
  count(account_id: string): Write {
    const message = `cannot be added: an account has at most ${this.most} ${this.#type}`;
    return {
      ...update<RecordCount>(keys.recordCount(account_id, this.#type), {
        add: { record_count: 1 },
        when: { record_count: either(missing, below(this.most)) },
      }),
      otherwise: () => invalidField(singular(this.#type), 'invalid', message),
    };
  }

  /** Goes with a record. */
  uncount(account_id: string): Write {
    return update<RecordCount>(keys.recordCount(account_id, this.#type), { add: { record_count: -1 } });
  }
}

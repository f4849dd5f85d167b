import type { Condition } from '../../table/table.ts';

/** What a write on a record depends on: it is there, and no merge into another one was announced. */
export const recordStands: Condition = {
  condition: 'attribute_exists(PK) AND attribute_not_exists(merged_into)',
};

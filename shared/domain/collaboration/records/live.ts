import type { Condition } from '#shared/table/table.ts';

/** What a write on a record depends on: it is there, and no merge into another one was announced. */
export const isLive: Condition = {
  condition: 'attribute_exists(PK) AND attribute_not_exists(merged_into)',
};

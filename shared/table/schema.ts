/**
 * The table as data: CDK, the local run and the tests all create it from here. Every index is sparse: it contains the
 * items that have all of its attributes. Keys of several attributes:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
 */
interface KeyAttribute {
  name: string;
  type: 'S' | 'N';
}

interface IndexSchema {
  hash: readonly KeyAttribute[];
  range: KeyAttribute;
}

const list: KeyAttribute = { name: 'list', type: 'S' };
const rank: KeyAttribute = { name: 'rank', type: 'S' };

export const tableSchema = {
  hash: { name: 'PK', type: 'S' },
  range: { name: 'SK', type: 'S' },
  ttl: 'expires_epoch',
  indexes: {
    /** Lists of records in their default order: the contacts of an account, the records that carry a tag. */
    by_rank: { hash: [list], range: rank },
  },
} as const satisfies {
  hash: KeyAttribute;
  range: KeyAttribute;
  ttl: string;
  indexes: Record<string, IndexSchema>;
};

export type IndexName = keyof typeof tableSchema.indexes;

/** All key attributes with their types, each once. */
export function keyAttributes(): KeyAttribute[] {
  const all: KeyAttribute[] = [tableSchema.hash, tableSchema.range];
  for (const index of Object.values(tableSchema.indexes)) all.push(...index.hash, index.range);
  return [...new Map(all.map((attribute) => [attribute.name, attribute])).values()];
}

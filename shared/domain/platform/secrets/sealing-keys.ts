import type { Config } from '#shared/config.ts';
import { dataKeysOf } from '#shared/providers/keys/data-key.ts';
import type { Services } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, mustNotExist, type Table } from '#shared/table/table.ts';

/**
 * The keys that seal how the service signs in to other servers. In the cloud it is one data key of KMS for each stage
 * (docs/decisions/0072-mail-servers.md): the table has it encrypted, and an environment of a function asks KMS for it once.
 */

export type SealingKeys = Pick<Config, 'mailbox_keys'>;

type Ctx = Pick<Services, 'config' | 'table'>;

/** Written once, and never changed: what it has sealed opens with no other. */
type StoredDataKey = Item & { encrypted: Uint8Array };

const key = keys.tableFact('data_key');

async function readDataKey({ config, table }: Ctx, alias: string): Promise<string> {
  const data_keys = dataKeysOf(alias, config.kms_endpoint);
  const read = async ({ encrypted }: StoredDataKey) =>
    Buffer.from(await data_keys.decrypt(encrypted)).toString('base64');
  const stored = await table.get<StoredDataKey>(key);
  if (stored) return read(stored);
  const { plaintext, encrypted } = await data_keys.generate();
  try {
    await table.transact([{ put: { ...key, encrypted } satisfies StoredDataKey, when: mustNotExist }]);
    return Buffer.from(plaintext).toString('base64');
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Another environment was first.
    return read((await table.get<StoredDataKey>(key)) as StoredDataKey);
  }
}

/** An environment of a function has one table. */
const known = new WeakMap<Table, Promise<string>>();

/** Those of the configuration, or the data key of the stage, which the first call makes. */
export async function sealingKeys(ctx: Ctx): Promise<SealingKeys> {
  const { sealing_key, mailbox_keys } = ctx.config;
  if (sealing_key === undefined) return { mailbox_keys };
  let reading = known.get(ctx.table);
  if (!reading) {
    reading = readDataKey(ctx, sealing_key);
    known.set(ctx.table, reading);
    reading.catch(() => known.delete(ctx.table));
  }
  return { mailbox_keys: [await reading] };
}

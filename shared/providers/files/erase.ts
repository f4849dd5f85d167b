import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ErasesObjects } from '#shared/domain/identity/erasing/port.ts';
import { ApiError } from '#shared/errors.ts';
import type { Services } from '#shared/services.ts';
import { available, clientFor, objectKeys } from './bucket.ts';

/** Erases objects of accounts. Of a bucket with versions, the lifecycle deletes the versions that are left. */

const { upload, ...ofAccounts } = objectKeys;

/** Objects of one call: https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html */
const AT_ONCE = 1_000;

/** What the keys of the objects of an account begin with: `files/<account>/`. */
export function prefixesOf(account: string): string[] {
  return Object.values(ofAccounts).map((key) => `${key(account, '').split('/').slice(0, 2).join('/')}/`);
}

async function erase(services: Services, found: string[]): Promise<void> {
  if (found.length === 0) return;
  const Delete = { Objects: found.map((Key) => ({ Key })), Quiet: true };
  const command = new DeleteObjectsCommand({ Bucket: services.config.bucket_name, Delete });
  const { Errors = [] } = await available(clientFor(services).send(command));
  if (Errors.length > 0)
    throw new ApiError('storage_unavailable', { cause: new Error(`${Errors[0]?.Code}`) });
}

/** What is erased is not listed again, so each list is the first page. */
async function listed(services: Services, Prefix: string): Promise<string[]> {
  const command = new ListObjectsV2Command({ Bucket: services.config.bucket_name, Prefix, MaxKeys: AT_ONCE });
  const { Contents = [] } = await available(clientFor(services).send(command));
  return Contents.flatMap(({ Key }) => Key ?? []);
}

export const erasesObjects: ErasesObjects['objects'] = {
  async eraseUploads(ctx, uploads) {
    for (let i = 0; i < uploads.length; i += AT_ONCE)
      await erase(ctx, uploads.slice(i, i + AT_ONCE).map(upload));
  },
  async eraseAccount(ctx, account_id, timeIsUp) {
    for (const prefix of prefixesOf(account_id))
      for (let found = await listed(ctx, prefix); found.length > 0; found = await listed(ctx, prefix)) {
        await erase(ctx, found);
        if (timeIsUp()) return false;
      }
    return true;
  },
};

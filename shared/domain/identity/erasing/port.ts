import type { Context } from '#shared/context.ts';

/** The bytes that accounts have (shared/composition/erasing.ts). */
export interface ErasesObjects {
  objects: {
    /** Those of uploads, used or not. */
    eraseUploads(ctx: Context, uploads: string[]): Promise<void>;
    /** All others of an account; false when the time was up before. */
    eraseAccount(ctx: Context, account_id: string, timeIsUp: () => boolean): Promise<boolean>;
  };
}

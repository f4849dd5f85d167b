import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, present, update, type Write } from '#shared/table/table.ts';
import type { Upload } from './upload.ts';

/** The use of an upload, in the transaction of what it is used for. 409 `upload_already_used`. */
export const useOf = ({ id }: Upload, now: Date, file_id: string | null = null): Write => ({
  ...update<Upload>(keys.upload(id), {
    set: { used_at: now.toISOString(), file_id },
    when: { PK: present, used_at: missing },
  }),
  otherwise: () => new ApiError('upload_already_used'),
});

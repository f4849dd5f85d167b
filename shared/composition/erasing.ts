import type { ErasesObjects } from '#shared/domain/identity/erasing/port.ts';
import { erasesObjects } from '#shared/providers/files/erase.ts';

/** Where the bytes of accounts are. */
export const erasing: ErasesObjects = { objects: erasesObjects };

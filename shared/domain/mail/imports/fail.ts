import type { Services } from '#shared/services.ts';
import { findImport, finishImport, Overtaken } from './store.ts';

/** Ends an import that nobody will try again. What it brought in stays. */
export async function failImport(services: Services, id: string): Promise<void> {
  const found = await findImport(services.table, id);
  if (!found || found.finished_at !== null) return;
  const error = {
    code: 'import_failed',
    message:
      'The import was given up after several tries. Import the archive again: what is there is skipped.',
  };
  try {
    await finishImport(services.table, found, error, services.now());
  } catch (cause) {
    if (!(cause instanceof Overtaken)) throw cause;
  }
}

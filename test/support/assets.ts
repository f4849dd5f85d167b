import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '#shared/services.ts';
import { operations } from '../../functions/catalogue.ts';
import { collectAssets } from '../../infra/assets.ts';

/** Provides the static files that a deployment puts beside its functions, and the page at /app. */
export async function withAssets(services: Services): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'assets-'));
  await collectAssets(folder, operations);
  services.config.assets_dir = folder;
  services.config.app_page = true;
  return () => rm(folder, { recursive: true, force: true });
}

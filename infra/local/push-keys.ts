import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import webpush from 'web-push';

/** Keys of a local run for push messages to browsers, kept across restarts: subscriptions are bound to them. */
export async function localPushKeys(folder: string): Promise<string> {
  const file = join(folder, 'push-keys.json');
  if (!existsSync(file)) {
    const { publicKey: public_key, privateKey: private_key } = webpush.generateVAPIDKeys();
    const web = { subject: 'mailto:nobody@localhost.invalid', public_key, private_key };
    await writeFile(file, JSON.stringify({ web }), { mode: 0o600 });
  }
  return readFile(file, 'utf8');
}

/** Without the text, which holds keys. The worker checks the rest. */
export function requirePushCredentials({ PUSH_CREDENTIALS }: NodeJS.ProcessEnv): void {
  if (!PUSH_CREDENTIALS) return;
  try {
    JSON.parse(PUSH_CREDENTIALS);
  } catch {
    throw new Error('PUSH_CREDENTIALS must be JSON: docs/operations.md, "Push messages".');
  }
}

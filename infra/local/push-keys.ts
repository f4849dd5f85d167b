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

import { admin } from './admin/run.ts';

/** `npm run admin`: accounts, users, mailboxes and keys, locally and in a stage. */

process.exitCode = await admin(process.argv.slice(2), { out: console.log, err: console.error });

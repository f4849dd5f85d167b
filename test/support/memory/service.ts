import { operations } from '../../../functions/catalogue.ts';
import { handler as exportRecords } from '../../../functions/queues/export-records.ts';
import { handler as importMail } from '../../../functions/queues/import-mail.ts';
import { handler as importRecords } from '../../../functions/queues/import-records.ts';
import { startGateway } from '../../../infra/local/gateway.ts';
import { startWorker } from '../../../infra/local/queues.ts';

/**
 * The gateway and the workers that read and write files, in a process of their own. It watches its memory from a message with a
 * number of bytes to the next message, and then says how much more than before it held at most: it finds what exceeds them.
 */

/** Milliseconds between two looks. */
const LOOK = 5;

const inUse = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** Without garbage: the second collection waits for the first to free what is outside of the heap. */
function held(): number {
  for (let i = 0; i < 2; i++) globalThis.gc?.();
  return inUse();
}

/** Collects garbage whenever so much more is in use than after the collection before. */
function watch(allowed: number): () => number {
  const before = held();
  let [last, most] = [before, 0];
  const look = () => {
    last = held();
    most = Math.max(most, last - before);
  };
  const timer = setInterval(() => inUse() - last > allowed && look(), LOOK);
  return () => {
    clearInterval(timer);
    look();
    return most;
  };
}

const { SQS_ENDPOINT = '', QUEUE_URL_PREFIX = '' } = process.env;
startWorker(SQS_ENDPOINT, 'import-mail', `${QUEUE_URL_PREFIX}import-mail`, importMail);
startWorker(SQS_ENDPOINT, 'import-records', `${QUEUE_URL_PREFIX}import-records`, importRecords);
startWorker(SQS_ENDPOINT, 'export-records', `${QUEUE_URL_PREFIX}export-records`, exportRecords);
const { url } = await startGateway(operations, 0);

let stop: (() => number) | undefined;
process.on('message', (allowed: number | 'stop') => {
  const said = allowed === 'stop' ? stop?.() : 0;
  if (allowed !== 'stop') stop = watch(allowed);
  process.send?.(said);
});
process.on('disconnect', () => process.exit(0));
process.send?.(url);

import { live, sockets } from '#shared/composition/live.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contextOf } from '#shared/context.ts';
import { newsOf } from '#shared/domain/insight/live/news-of.ts';
import { publish } from '#shared/domain/insight/live/publish.ts';
import { streams } from '#shared/queues/queues.ts';
import { getServices } from '#shared/services.ts';
import type { StreamRecord } from '#shared/table/stream.ts';

const { batch_size, window } = streams['publish-changes'];

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The stream of the table: tells those who listen what changed. Batches are a second apart by their window, unless there is
 * more to tell than fits into one.
 */
export async function handler({ Records }: { Records: StreamRecord[] }): Promise<void> {
  const ctx = contextOf(getServices(), { ...visibility, ...sockets });
  const { sent } = await publish(ctx, newsOf(live, Records));
  const left = ctx.now.getTime() + window * 1_000 - ctx.clock().getTime();
  if (sent > 0 && Records.length >= batch_size) await pause(Math.max(0, left));
}

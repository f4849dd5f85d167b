import { byAge, type Doc } from './segment.ts';

/** The documents of several indexes as one sequence: the newest first. */
export async function* newestFirst<D extends Doc>(streams: AsyncGenerator<D>[]): AsyncGenerator<D> {
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, head: await stream.next() })));
  for (;;) {
    const left = heads.flatMap((each) => (each.head.done ? [] : [{ each, doc: each.head.value }]));
    const first = left.sort((a, b) => byAge(a.doc, b.doc))[0];
    if (!first) return;
    yield first.doc;
    first.each.head = await first.each.stream.next();
  }
}

import { type Operation, operationFile } from '#shared/api/catalogue.ts';
import { socketFunctions, workers } from '#shared/uses/kinds.ts';

/** The files that become Lambda functions, from the catalogue and the list of queues. */
export interface Entry {
  /** The file without `functions/` and `.ts`, for example `tags/create-tag`. */
  name: string;
  /** From the root of the project. */
  file: string;
  /** The static files beside the bundle: the gateway's methods, all, or none. */
  assets: 'methods' | 'all' | 'none';
  /** Whether it exports `stream` beside `handler`. */
  streams: boolean;
}

export const NOT_FOUND_FILE = 'functions/gateway/not-found.ts';

export function entryName(file: string): string {
  return file.replace(/^functions\//, '').replace(/\.ts$/, '');
}

/** The file of a function of sockets. */
export function socketFile(name: string): string {
  return `functions/sockets/${name}.ts`;
}

/** The file of the worker of a queue, a schedule or a stream. */
export function workerFile(name: string): string {
  return `functions/queues/${name}.ts`;
}

export function entriesOf(operations: Operation[]): Entry[] {
  const entry = (file: string, assets: Entry['assets'], streams = false): Entry => ({
    name: entryName(file),
    file,
    assets,
    streams,
  });
  return [
    ...operations.map((operation) => {
      const { assets, streams } = operation.definition;
      return entry(operationFile(operation), assets ? 'all' : 'none', streams);
    }),
    entry(NOT_FOUND_FILE, 'methods'),
    ...Object.keys(workers).map((name) => entry(workerFile(name), 'none')),
    ...Object.keys(socketFunctions).map((name) => entry(socketFile(name), 'none')),
  ];
}

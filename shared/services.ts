import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Table } from '#shared/table/table.ts';
import { type Config, isLocalOnly, readConfig } from './config.ts';

/** What handlers use: created on the first request of an environment, never on import. */
export interface Services {
  config: Config;
  table: Table;
  clock: () => Date;
  /** Replaces the ports of these names, for tests of entry points. */
  stand_ins?: Record<string, unknown>;
}

let services: Services | undefined;

/** Credentials for local servers, which accept any. */
const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** In place of the address of AWS: the client can be made, for functions that never use it, but calls and signs nothing. */
async function noEndpoint(): Promise<never> {
  throw new Error(
    'LOCAL_ENDPOINTS is true, and AWS was to be called: the address of a local server is missing.',
  );
}

/** Client settings that every AWS client shares: none is made without them. `region` is only used with local servers. */
export function clientOptions(endpoint: string | undefined) {
  const address = endpoint || (isLocalOnly(process.env) ? noEndpoint : undefined);
  const local = address ? { endpoint: address, region: 'us-east-1', credentials: localCredentials } : {};
  return { maxAttempts: 3, retryMode: 'standard', ...local };
}

export function getServices(): Services {
  if (!services) {
    const config = readConfig(process.env);
    const client = new DynamoDBClient(clientOptions(config.dynamodb_endpoint));
    services = { config, table: new Table(config.table_name, client), clock: () => new Date() };
  }
  return services;
}

/** Replaces the services, for a test's clock or a local run's endpoints. */
export function setServices(next: Services | undefined): void {
  services = next;
}

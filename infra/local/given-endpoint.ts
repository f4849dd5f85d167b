import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { clientOptions } from '#shared/services.ts';

/** A DynamoDB Local that runs elsewhere, named by DYNAMODB_ENDPOINT. */

/** Milliseconds. */
const PATIENCE = 5_000;

const WAYS_OUT = 'Start a DynamoDB Local there, or unset DYNAMODB_ENDPOINT to have one started here.';

function isHttp(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** Why a call failed, without the names of the SDK. */
function reasonOf(
  error: Error & { code?: string; $metadata?: { httpStatusCode?: number } },
  patience: number,
): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `does not answer within ${patience / 1_000} seconds`;
  if (error.$metadata?.httpStatusCode !== undefined)
    return `answers, but not as DynamoDB Local does (${error.$metadata.httpStatusCode})`;
  return `cannot be reached (${error.code || error.name})`;
}

/** Throws one line that says what is wrong with the endpoint. */
export async function requireAnswer(endpoint: string, patience = PATIENCE): Promise<void> {
  if (!isHttp(endpoint))
    throw new Error(
      `DYNAMODB_ENDPOINT must be an address such as http://127.0.0.1:8000, not "${endpoint}". ${WAYS_OUT}`,
    );
  const client = new DynamoDBClient({ ...clientOptions(endpoint), maxAttempts: 1 });
  try {
    await client.send(new ListTablesCommand({}), { abortSignal: AbortSignal.timeout(patience) });
  } catch (error) {
    throw new Error(`DYNAMODB_ENDPOINT ${endpoint} ${reasonOf(error as Error, patience)}. ${WAYS_OUT}`);
  } finally {
    client.destroy();
  }
}

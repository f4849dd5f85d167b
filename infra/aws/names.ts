import { Aws } from 'aws-cdk-lib';
import type { QueueName } from '#shared/queues/queues.ts';

/**
 * Physical names. They are fixed, so that the Api stack needs no CloudFormation exports of the Data stack (exports
 * in use cannot change), a lost stack cannot silently come back with an empty table, and `sam local` finds the same
 * names in the template.
 */
export const APP = 'WorkspaceApi';

/** Of a Lambda function: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const FUNCTION_NAME_LENGTH = 64;

export function namesOf(stage: string) {
  const bucket = `workspace-api-${stage}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
  return {
    table: `${APP}-${stage}`,
    bucket,
    access_log_bucket: `${bucket}-logs`,
    cursor_keys: `${APP}/${stage}/cursor-keys`,
    log_group: (family: string) => `/workspace-api/${stage}/${family}`,
    queue: (name: QueueName) => `${APP}-${stage}-${name}`,
    dead_letters: (name: QueueName) => `${APP}-${stage}-${name}-dead-letters`,
    /** Functions of the gateway, and no others, begin like this: its role may call exactly these. */
    operation_prefix: `${APP}-${stage}-`,
    operation: (name: string) => functionName(`${APP}-${stage}-${name}`),
    job: (name: string) => functionName(`${APP}Jobs-${stage}-${name}`),
  };
}

export type Names = ReturnType<typeof namesOf>;

function functionName(name: string): string {
  if (name.length > FUNCTION_NAME_LENGTH)
    throw new Error(`The function name ${name} is longer than ${FUNCTION_NAME_LENGTH} characters.`);
  return name;
}

/** `mail-import` and `createTag` as a construct id: `MailImport`, `CreateTag`. */
export function pascal(name: string): string {
  return name.replaceAll(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, _gap, letter: string) =>
    letter.toUpperCase(),
  );
}

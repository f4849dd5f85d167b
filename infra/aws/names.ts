import { Aws } from 'aws-cdk-lib';

/**
 * Physical names. They are fixed, so that no stack needs CloudFormation exports of another (exports in use cannot
 * change), a lost stack cannot silently return with an empty table, and `sam local` finds the same names in the
 * template.
 */
export const APP = 'WorkspaceApi';

/** Of a Lambda function: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html */
const FUNCTION_NAME_LENGTH = 64;

export function namesOf(stage: string) {
  const jobs = `${APP}Jobs-${stage}-`;
  const bucket = `workspace-api-${stage}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
  return {
    table: `${APP}-${stage}`,
    bucket,
    access_log_bucket: `${bucket}-logs`,
    cursor_keys: `${APP}/${stage}/cursor-keys`,
    /** The alias of a key in KMS. */
    sealing_key: `alias/${APP}/${stage}/sealing`,
    log_group: (family: string) => `/workspace-api/${stage}/${family}`,
    /** The prefix of the gateway's functions, and of no others: its role may call exactly these. */
    operation_prefix: `${APP}-${stage}-`,
    operation: (name: string) => functionName(`${APP}-${stage}-${name}`),
    /** A queue or a schedule, and its worker. */
    job: (name: string) => functionName(`${jobs}${name}`),
    /** A function of sockets. */
    socket: (name: string) => functionName(`${APP}Sockets-${stage}-${name}`),
    dead_letters: (name: string) => `${jobs}${name}-dead-letters`,
    /**
     * The queue's URL without its name:
     * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-queue-message-identifiers.html
     */
    queue_url_prefix: `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${jobs}`,
    /** In Parameter Store: what AWS names itself. */
    table_stream: `/${APP}/${stage}/table-stream`,
    socket_api: `/${APP}/${stage}/socket-api`,
    socket_url: `/${APP}/${stage}/socket-url`,
    alarms_topic: `${APP}-${stage}-alarms`,
    alarm: (name: string) => `${APP}-${stage}-${name}`,
    dashboard: (name: string) => `${APP}-${stage}-${name}`,
  };
}

export type Names = ReturnType<typeof namesOf>;

function functionName(name: string): string {
  if (name.length > FUNCTION_NAME_LENGTH)
    throw new Error(`The function name ${name} is longer than ${FUNCTION_NAME_LENGTH} characters.`);
  return name;
}

/** `import-mail` and `createTag` as a construct id: `ImportMail`, `CreateTag`. */
export function pascal(name: string): string {
  return name.replaceAll(/(^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, _gap, letter: string) =>
    letter.toUpperCase(),
  );
}

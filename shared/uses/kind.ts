/**
 * A kind of resource that operations and workers may touch, as data. Functions whose `uses` name it, and no others, get
 * its permissions, variables and libraries.
 */
export interface Kind {
  /** The modes, after a colon: `table:read`. Without modes the name alone is the use. */
  modes?: readonly string[];
  /** By mode, another one that it includes: `write: 'read'`. */
  includes?: Readonly<Record<string, string>>;
  /** What the role of a function with these modes allows; none for what is not in AWS. */
  grants?(modes: ReadonlySet<string>, deployment: Deployment): Grant[];
  /** By the service in an ARN, why resources above have wildcards, for cdk-nag. */
  wildcards?: Readonly<Record<string, string>>;
  /** The environment variables of a function with these modes. */
  variables?(modes: ReadonlySet<string>, deployment: Deployment): Record<string, string>;
  /** Variables of functions that do not use it themselves. */
  known?(uses: ReadonlySet<string>, deployment: Deployment): Record<string, string>;
  /** The variable with the address of a local server in place of AWS. */
  endpoint?: string;
  /** `-c` settings of a deployment that the functions above read, with what they are for. */
  settings?: Readonly<Record<string, string>>;
  /** Variables that `npm start` takes from its own environment. */
  local?: readonly string[];
  /** By package, what only the bundles of these functions may contain. */
  libraries?: Readonly<Record<string, Library>>;
}

export type Kinds = Readonly<Record<string, Kind>>;

export interface Library {
  /** Minified, added to the budget of every bundle. */
  bytes: number;
  reason: string;
}

/** A permission. Plain data, so tests can compare it. */
export interface Grant {
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, unknown>>;
}

/** What a kind may read of its deployment. */
export interface Deployment {
  partition: string;
  region: string;
  account: string;
  /** Fixed names: a reference to another stack would be an export of that stack. */
  names: {
    table: string;
    bucket: string;
    job: (queue: string) => string;
    queue_url_prefix: string;
    sealing_key: string;
  };
  stage: string;
  /** Nothing that is deployed: `sam local` runs it with local servers. */
  local_endpoints: boolean;
  /** Where sockets are opened, and the id of their API: references to what another stack stores. */
  socket_url: string;
  socket_api: string;
  arn(parts: {
    service: string;
    resource: string;
    resourceName?: string;
    region?: string;
    account?: string;
  }): string;
  /** `cdk -c name=value`. */
  setting(name: string): string | undefined;
  /** References to the secrets that sign cursors and one-time codes, newest first. */
  signing_keys: string;
  /** A reference to a secret in Secrets Manager: the value is in no template. */
  secret(name: string): string;
}

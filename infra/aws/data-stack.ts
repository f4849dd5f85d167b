import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { tableSchema } from '#shared/table/schema.ts';
import { addAlarms, addAlarmsTopic } from './alarms.ts';
import { explain } from './explain.ts';
import { APP, type Names, namesOf } from './names.ts';
import { publishValue } from './parameters.ts';
import type { Stage } from './stage.ts';
import { tableWatches } from './watches.ts';

/** Days until an unused upload is deleted. */
const UPLOAD_DAYS = 30;
/** As exports say (shared/domain/exchange/exports/export.ts). */
const EXPORT_DAYS = 7;
/** Days in which an overwritten or deleted object can be restored. */
const UNDELETE_DAYS = 30;
/** Days of the log of reads and writes of objects. */
const ACCESS_LOG_DAYS = 365;
/** The longest that DynamoDB offers. */
const RECOVERY_DAYS = 35;

/**
 * Everything that must outlive a deployment: the table, the bucket, the secret that signs cursors, the key that seals
 * passwords, the log of who called the API, and the topic of alarms, whose subscribers have confirmed by mail.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, stage: Stage) {
    super(scope, `${APP}-${stage.name}-Data`, {
      description: `Workspace API (${stage.name}): table, files, secrets and alarms`,
      terminationProtection: stage.keep_data,
      tags: { app: APP, stage: stage.name },
    });
    const names = namesOf(stage.name);
    const removalPolicy = stage.keep_data ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const table = addTable(this, names, stage, removalPolicy);
    publishValue(this, 'TableStream', names.table_stream, table.tableStreamArn as string);
    const bucket = addBucket(this, names, stage, removalPolicy);
    const secret = addCursorKeys(this, names, removalPolicy);
    const sealing_key = addSealingKey(this, names, removalPolicy);
    new LogGroup(this, 'GatewayAccessLogs', {
      logGroupName: names.log_group('access'),
      retention: stage.log_retention,
      removalPolicy,
    });
    const topic = addAlarmsTopic(this, stage, names);
    addAlarms(this, names, topic, tableWatches(names.table));
    new CfnOutput(this, 'AlarmsTopic', { value: topic.topicArn });
    new CfnOutput(this, 'TableName', { value: table.tableName });
    new CfnOutput(this, 'BucketName', { value: bucket.bucketName });
    new CfnOutput(this, 'CursorKeysSecret', { value: secret.secretName });
    new CfnOutput(this, 'SealingKeyArn', { value: sealing_key.keyArn });
  }
}

function attribute({ name, type }: { name: string; type: 'S' | 'N' }): Attribute {
  return { name, type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER };
}

/**
 * Encrypted with the AWS managed key: its use is in CloudTrail, it costs no monthly fee, and nobody can lose the data
 * by deleting it. For a key of your own, change `encryption` here.
 */
function addTable(scope: Construct, names: Names, stage: Stage, removalPolicy: RemovalPolicy): TableV2 {
  return new TableV2(scope, 'Table', {
    tableName: names.table,
    partitionKey: attribute(tableSchema.hash),
    sortKey: attribute(tableSchema.range),
    globalSecondaryIndexes: Object.entries(tableSchema.indexes).map(([indexName, index]) => ({
      indexName,
      partitionKeys: index.hash.map(attribute),
      sortKeys: [attribute(index.range)],
      projectionType: ProjectionType.ALL,
    })),
    billing: Billing.onDemand(),
    timeToLiveAttribute: tableSchema.ttl,
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: true,
      recoveryPeriodInDays: RECOVERY_DAYS,
    },
    deletionProtection: stage.keep_data,
    removalPolicy,
  });
}

/** Encrypted with S3's own keys: a browser's upload then needs no encryption headers, and reads cost no KMS calls. */
function addBucket(scope: Construct, names: Names, stage: Stage, removalPolicy: RemovalPolicy): Bucket {
  const common: BucketProps = {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy,
  };
  const accessLogs = new Bucket(scope, 'AccessLogs', {
    ...common,
    bucketName: names.access_log_bucket,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    lifecycleRules: [{ expiration: Duration.days(ACCESS_LOG_DAYS) }],
  });
  return new Bucket(scope, 'Bucket', {
    ...common,
    bucketName: names.bucket,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    // The library's own types disagree about optional fields.
    serverAccessLogsBucket: accessLogs as IBucket,
    versioned: true,
    lifecycleRules: [
      {
        id: 'clean-up',
        abortIncompleteMultipartUploadAfter: Duration.days(7),
        noncurrentVersionExpiration: Duration.days(UNDELETE_DAYS),
        expiredObjectDeleteMarker: true,
      },
      {
        id: 'unused-uploads',
        prefix: 'uploads/',
        expiration: Duration.days(UPLOAD_DAYS),
        noncurrentVersionExpiration: Duration.days(1),
      },
      {
        id: 'exports',
        prefix: 'exports/',
        expiration: Duration.days(EXPORT_DAYS),
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
    cors:
      stage.cors_origins.length === 0
        ? []
        : [
            {
              allowedMethods: [HttpMethods.PUT],
              allowedOrigins: stage.cors_origins,
              allowedHeaders: ['content-type', 'content-length'],
              maxAge: 7_200,
            },
            // A page that follows a redirect from the API to here is of the origin `null` to S3. What protects an object
            // is the signature: no cookie and no address of the reader opens it.
            { allowedMethods: [HttpMethods.GET], allowedOrigins: ['*'], maxAge: 7_200 },
          ],
  });
}

/** Letters and digits only: during a rotation the functions get a comma-separated list, newest key first. */
function addCursorKeys(scope: Construct, names: Names, removalPolicy: RemovalPolicy): Secret {
  const secret = new Secret(scope, 'CursorKeys', {
    secretName: names.cursor_keys,
    description: 'Keys that sign list cursors, newest first, separated by commas',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy,
  });
  explain(secret, {
    'AwsSolutions-SMG4':
      'Rotated by hand (docs/operations.md): the old key must stay behind the new one until all cursors have ' +
      'expired, and the functions are deployed with the new version. The key protects no stored data.',
  });
  return secret;
}

/** Yearly rotation keeps the older material, so everything still opens. */
function addSealingKey(scope: Construct, names: Names, removalPolicy: RemovalPolicy): Key {
  return new Key(scope, 'SealingKey', {
    alias: names.sealing_key,
    description:
      'Encrypts the data key that seals passwords of mail servers. Without it, no mailbox can be read',
    enableKeyRotation: true,
    removalPolicy,
  });
}

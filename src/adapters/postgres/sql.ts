import { inTurn } from '../../core/task-queue.ts';

/** The rows of a statement, and how many it read or changed. */
export type Rows<Row> = readonly Row[] & { readonly count: number };

type Single = string | number | boolean | Date | Uint8Array | null;
/** The types of a statement's parameters. */
export type SqlValue = Single | readonly Single[];

/** Sends one statement of a transaction. Values in the template always become parameters. */
export type Sql = <Row = Record<string, unknown>>(text: TemplateStringsArray, ...values: readonly SqlValue[]) => Promise<Rows<Row>>;

/** Statements by template: a template in the source is always the same object, so each connection parses and plans it once. */
const statements = new WeakMap<TemplateStringsArray, { readonly name: string; readonly text: string }>();
let count = 0;

function statementOf(template: TemplateStringsArray): { readonly name: string; readonly text: string } {
  let statement = statements.get(template);
  if (!statement) {
    count += 1;
    statement = { name: `s${count}`, text: template.reduce((text, part, at) => (at === 0 ? part : `${text}$${at}${part}`), '') };
    statements.set(template, statement);
  }
  return statement;
}

/** The part of a connection of `pg` that a transaction needs. */
export interface Connection {
  query(statement: {
    readonly name: string;
    readonly text: string;
    readonly values: SqlValue[];
  }): Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;
}

/** The statements of one transaction; after `end` the connection belongs to another one. */
export function sqlOf(client: Connection): { readonly sql: Sql; readonly end: () => void } {
  let isOpen = true;
  const turn = inTurn();
  return {
    end: () => {
      isOpen = false;
    },
    sql: async <Row>(template: TemplateStringsArray, ...values: readonly SqlValue[]): Promise<Rows<Row>> => {
      if (!isOpen) throw new Error('this transaction has ended');
      const { rows, rowCount } = await turn(() => client.query({ ...statementOf(template), values: [...values] }));
      return Object.assign(rows as Row[], { count: rowCount ?? 0 });
    },
  };
}

import type { RecallContext } from '../../../../app/recall/recall-context.ts';
import type { Arguments, Cli, Option } from '../../command.ts';

export const OPEN_FILE: Option = {
  name: 'file',
  value: 'F',
  many: true,
  about: 'a file you are working on; records about it rank higher; repeatable',
};

/** The state of the work, with the files that the user names as open. */
export async function contextForRecall(cli: Cli, args: Arguments): Promise<RecallContext> {
  const open = args.texts('file');
  return { ...(await cli.recallContext()), ...(open.length > 0 && { open }) };
}

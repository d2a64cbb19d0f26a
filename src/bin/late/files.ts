/** Reading record files and rendering views: loaded when a file has changed. */
export { itemOfFile } from '../../app/index/item.ts';
export { mendViews } from '../../app/views/repair.ts';

# SPDX-License-Identifier: MIT
# worker.rb -- decodes and encodes a text for run.py: ruby worker.rb LIBRARY FILE
require ARGV[0]
$stdout.sync = true
text = File.read(ARGV[1], encoding: "utf-8")
if ARGV[0] == "oj"
  version = Oj::VERSION
  decode = -> { Oj.load(text, mode: :strict) }
  value = decode.call
  encode = -> { Oj.dump(value, mode: :strict) }
else
  version = JSON::VERSION
  decode = -> { JSON.parse(text) }
  value = decode.call
  encode = -> { JSON.generate(value) }
end
work = { "decode" => decode, "encode" => encode }
puts version
$stdin.each_line do |line|
  what, seconds = line.split
  run, count, began = work[what], 0, Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  loop do
    run.call
    count += 1
    passed = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - began
    if passed >= seconds.to_f
      puts "#{count} #{passed} #{text.bytesize}"
      break
    end
  end
end

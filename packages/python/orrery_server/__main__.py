from orrery_server import main

main()
